// Samples of positions.
#include "solis/analysis/space/sample.h"

#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>

namespace solis::analysis {
namespace {

// Of a stream of unknown length, each equally likely (reservoir sampling). Positions that differ in
// their counters only are one.
class Reservoir {
  public:
    Reservoir(std::size_t count, Seed seed) : count_(count), rng_(seed) {}

    void offer(const SeenGame& game) {
        ++game_;
        bool taken = false;
        for (std::size_t i = 0; i < game.positions.size(); ++i) {
            if (!known_.insert(game.positions[i].key()).second) continue;
            const std::size_t at = drawn_place();
            if (at >= count_) continue;
            sample_.positions[at] = game.positions[i];
            sample_.labels[at] = game.labels.empty() ? std::nullopt : game.labels[i];
            sample_.origins[at] = {game_, static_cast<std::uint32_t>(i)};
            taken = true;
        }
        if (taken) {
            sample_.games[game_] = {game.name, game.result, game.positions[0], game.moves};
        }
    }
    [[nodiscard]] std::size_t seen() const { return seen_; }

    // Games whose positions all gave way to others are forgotten.
    [[nodiscard]] PositionSample take() {
        std::map<std::uint32_t, SampledGame> games;
        for (const PositionOrigin& origin : sample_.origins) {
            auto game = sample_.games.extract(origin.game);
            if (!game.empty()) games[origin.game] = std::move(game.mapped());
        }
        sample_.games = std::move(games);
        return std::move(sample_);
    }

  private:
    // Where the next position goes; nowhere from count_ on.
    std::size_t drawn_place() {
        ++seen_;
        if (sample_.positions.size() >= count_) return rng_.below(seen_);
        sample_.positions.push_back(chess::Position::start());
        sample_.labels.emplace_back();
        sample_.origins.emplace_back();
        return sample_.positions.size() - 1;
    }

    std::size_t count_;
    Rng rng_;
    std::size_t seen_ = 0;
    std::uint32_t game_ = 0;
    std::unordered_set<std::uint64_t> known_;
    PositionSample sample_;
};

Result<void> offer_generated(Reservoir& reservoir, std::size_t count, Seed seed,
                             const SpaceModel& model, const Listener& listener) {
    Rng rng(seed);
    // Twice as many as are wanted, so that no game is taken as a whole.
    while (reservoir.seen() < 2 * count) {
        reservoir.offer(generated_game(model, rng));
        if (!listener.goes_on("playing", std::min(reservoir.seen(), 2 * count), 2 * count)) {
            return atlas::interruption();
        }
    }
    return {};
}

Result<void> offer_input(Reservoir& reservoir, const std::string& input, const Listener& listener) {
    bool stopped = false;
    const auto read = read_games(input, listener, [&](SeenGame&& game) {
        reservoir.offer(game);
        stopped = !listener.goes_on("reading", reservoir.seen(), 0);
        return !stopped;
    });
    if (!read) return read;
    if (stopped) return atlas::interruption();
    return {};
}

}  // namespace

std::optional<chess::Move> PositionSample::played(std::size_t i) const {
    const std::vector<chess::Move>& moves = game_of(i).moves;
    return origins[i].ply < moves.size() ? std::optional(moves[origins[i].ply]) : std::nullopt;
}

std::string PositionSample::origin_text(std::size_t i) const {
    const std::string& name = game_of(i).name;
    return fmt::format("game {}{}{}, ply {}", origins[i].game, name.empty() ? "" : ": ", name,
                       origins[i].ply);
}

Result<PositionSample> sample_positions(const std::string& input, std::size_t count, Seed seed,
                                        const SpaceModel& model, const Listener& listener) {
    Reservoir reservoir(count, seed);
    const auto offered = input.empty() ? offer_generated(reservoir, count, seed, model, listener)
                                       : offer_input(reservoir, input, listener);
    if (!offered) return tl::unexpected(offered.error());
    PositionSample sample = reservoir.take();
    if (sample.positions.empty()) return fail(fmt::format("'{}' has no position", input));
    sample.source =
        input.empty() ? "generated games" : std::filesystem::path(input).filename().string();
    return sample;
}

}  // namespace solis::analysis
