// Samples of positions.
#include "solis/cli/atlas/positions.h"

#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>

#include "solis/base/progress.h"

namespace solis::cli {
namespace {

// Of a stream of unknown length, each equally likely (reservoir sampling). Positions that differ in
// their counters only are one.
class Reservoir {
  public:
    Reservoir(std::size_t count, Seed seed) : count_(count), rng_(seed) {}

    void offer(const SeenGame& game) {
        for (std::size_t i = 0; i < game.positions.size(); ++i) {
            const chess::Position& position = game.positions[i];
            if (!known_.insert(position.key()).second) continue;
            const std::optional<float> label = game.labels.empty() ? std::nullopt : game.labels[i];
            put(position, label);
        }
    }
    [[nodiscard]] std::size_t seen() const { return seen_; }
    [[nodiscard]] PositionSample take() { return std::move(sample_); }

  private:
    void put(const chess::Position& position, std::optional<float> label) {
        ++seen_;
        if (sample_.positions.size() < count_) {
            sample_.positions.push_back(position);
            sample_.labels.push_back(label);
            return;
        }
        const std::size_t at = rng_.below(seen_);
        if (at >= count_) return;
        sample_.positions[at] = position;
        sample_.labels[at] = label;
    }

    std::size_t count_;
    Rng rng_;
    std::size_t seen_ = 0;
    std::unordered_set<std::uint64_t> known_;
    PositionSample sample_;
};

}  // namespace

Result<PositionSample> sample_positions(const std::string& input, std::size_t count, Seed seed,
                                        const SpaceModel& model, Console& console) {
    Reservoir reservoir(count, seed);
    if (input.empty()) {
        Progress progress(console, "playing", 2 * count, "positions");
        Rng rng(seed);
        // Twice as many as are wanted, so that no game is taken as a whole.
        while (reservoir.seen() < 2 * count) {
            reservoir.offer(generated_game(model, rng));
            progress.update(reservoir.seen());
        }
    } else {
        Progress progress(console, "reading", 0, "positions");
        const auto read = read_games(input, console, [&](SeenGame&& game) {
            reservoir.offer(game);
            progress.update(reservoir.seen());
            return true;
        });
        if (!read) return tl::unexpected(read.error());
    }
    PositionSample sample = reservoir.take();
    if (sample.positions.empty()) return fail(fmt::format("'{}' has no position", input));
    sample.source =
        input.empty() ? "generated games" : std::filesystem::path(input).filename().string();
    return sample;
}

}  // namespace solis::cli
