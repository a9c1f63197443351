// Batches of self-play games and of given games.
#include "solis/lab/label/task_supply.h"

#include <algorithm>

namespace solis::lab {
namespace {

// Neighbouring games get unrelated generators: Rng scrambles its seed.
Seed game_seed(Seed seed, std::uint64_t game) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    return {Rng(seed).next() + kOdd * game};
}

// How many games the batch that begins with `game` holds.
std::size_t games_in_batch(const SupplyOptions& options, std::uint64_t game) {
    if (options.end_game == 0) return options.batch_size;
    const std::uint64_t left = options.end_game - std::min(game, options.end_game);
    return static_cast<std::size_t>(std::min<std::uint64_t>(options.batch_size, left));
}

class SelfPlaySupply final : public TaskSupply {
  public:
    SelfPlaySupply(const SelfPlayOptions& play, const LabelOptions& labels,
                   const SupplyOptions& options)
        : play_(play), labels_(labels), options_(options), next_game_(options.first_game) {}

    Result<std::vector<LabelTask>> next_batch() override {
        std::vector<LabelTask> batch;
        const std::size_t size = games_in_batch(options_, next_game_);
        for (std::size_t i = 0; i < size; ++i) {
            batch.emplace_back(play_, labels_, game_seed(options_.seed, next_game_++));
        }
        return batch;
    }

  private:
    SelfPlayOptions play_;
    LabelOptions labels_;
    SupplyOptions options_;
    std::uint64_t next_game_;
};

class ListSupply final : public TaskSupply {
  public:
    ListSupply(data::GameSource& source, bool chess960, const LabelOptions& labels,
               const SupplyOptions& options)
        : source_(source), chess960_(chess960), labels_(labels), options_(options) {}

    Result<std::vector<LabelTask>> next_batch() override {
        std::vector<LabelTask> batch;
        while (next_game_ < options_.first_game) {
            const auto more = next_usable();
            if (!more) return tl::unexpected(more.error());
            if (!*more) return batch;
            ++next_game_;
        }
        const std::size_t size = games_in_batch(options_, next_game_);
        while (batch.size() < size) {
            const auto more = next_usable();
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
            batch.emplace_back(game_, labels_, game_seed(options_.seed, next_game_++));
        }
        return batch;
    }

  private:
    // Reads game_; false at the end.
    Result<bool> next_usable() {
        while (!at_end_) {
            const auto more = source_.next(game_);
            if (!more) return more;
            at_end_ = !*more;
            if (*more && is_usable()) return true;
        }
        return false;
    }

    [[nodiscard]] bool is_usable() const {
        if (game_.line.empty() || game_.line.size() > data::kMaxGamePlies) return false;
        return chess960_ || !game_.start.needs_chess960_castling();
    }

    data::GameSource& source_;
    bool chess960_;
    LabelOptions labels_;
    SupplyOptions options_;
    data::LabelledGame game_;
    std::uint64_t next_game_ = 0;
    bool at_end_ = false;
};

}  // namespace

std::unique_ptr<TaskSupply> make_self_play_supply(const SelfPlayOptions& play,
                                                  const LabelOptions& labels,
                                                  const SupplyOptions& options) {
    return std::make_unique<SelfPlaySupply>(play, labels, options);
}

std::unique_ptr<TaskSupply> make_list_supply(data::GameSource& source, bool chess960,
                                             const LabelOptions& labels,
                                             const SupplyOptions& options) {
    return std::make_unique<ListSupply>(source, chess960, labels, options);
}

}  // namespace solis::lab
