// Labels games in several threads and puts their items in order.
#include "solis/data/taught_items.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace solis::data {
namespace {

constexpr std::size_t kGamesPerTask = 16;

// Positions are not labelled where the filter leaves them out whatever their score is.
class PositionDemand final : public LabelDemand {
  public:
    PositionDemand(const std::vector<bool>& is_new, const SampleFilter& filter)
        : is_new_(is_new), filter_(filter) {}

    bool wants_position(std::size_t ply, const chess::Position& position) const override {
        return is_new_[ply] && passes(filter_, position, {{}, {}, PositionKind::Line});
    }
    bool wants_children(std::size_t ply) const override { return is_new_[ply]; }
    bool wants_child(const chess::Position& position) const override {
        return passes(filter_, position, {{}, {}, PositionKind::Branch});
    }

  private:
    const std::vector<bool>& is_new_;
    const SampleFilter& filter_;
};

// A set consists of the position after the played move, which is the next of the line, and others.
class SetDemand final : public LabelDemand {
  public:
    SetDemand(const std::vector<bool>& is_new, const SampleFilter& filter) : is_new_(is_new) {
        // Where a position is not new, the next of the line may be labelled, and nothing else.
        assert(filter.min_children >= 2);
        static_cast<void>(filter);
    }

    bool wants_position(std::size_t ply, const chess::Position&) const override {
        return is_new_[ply] || (ply > 0 && is_new_[ply - 1]);
    }
    bool wants_children(std::size_t ply) const override { return is_new_[ply]; }

  private:
    const std::vector<bool>& is_new_;
};

PositionDemand demand_of(const UntaughtGame& game, const SampleFilter& filter, const Sample&) {
    return {game.is_new, filter};
}
SetDemand demand_of(const UntaughtGame& game, const SampleFilter& filter, const SiblingSet&) {
    return {game.is_new, filter};
}

Seed children_seed(Seed seed, std::uint64_t epoch, const LabelledGame& game) {
    constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15ULL;
    return {Rng(Seed{seed.value + kMix * epoch}).next() ^ game_identity(game)};
}

}  // namespace

template <class Item>
void append_taught(std::vector<UntaughtGame>& games, const SamplerOptions& options,
                   std::uint64_t epoch, ThreadPool& threads, const std::stop_token& stop,
                   std::vector<Item>& items) {
    std::vector<std::vector<Item>> parts((games.size() + kGamesPerTask - 1) / kGamesPerTask);
    threads.run(parts.size(), [&](std::size_t task) {
        const auto judge = options.teacher->make_judge();
        Item scratch;
        const std::size_t end = std::min(games.size(), (task + 1) * kGamesPerTask);
        for (std::size_t i = task * kGamesPerTask; i < end && !stop.stop_requested(); ++i) {
            LabelledGame& game = games[i].game;
            label_game(game, options.children, children_seed(options.seed, epoch, game), *judge,
                       demand_of(games[i], options.filter, scratch));
            visit_items(game, scratch, [&](const Item& item) {
                if (passes(options.filter, item)) parts[task].push_back(item);
            });
        }
    });
    for (std::vector<Item>& part : parts) {
        items.insert(items.end(), std::make_move_iterator(part.begin()),
                     std::make_move_iterator(part.end()));
    }
}

template void append_taught(std::vector<UntaughtGame>&, const SamplerOptions&, std::uint64_t,
                            ThreadPool&, const std::stop_token&, std::vector<Sample>&);
template void append_taught(std::vector<UntaughtGame>&, const SamplerOptions&, std::uint64_t,
                            ThreadPool&, const std::stop_token&, std::vector<SiblingSet>&);

void GameSample::offer(UntaughtGame game) {
    if (offered_++ % stride_ != 0) return;
    games_.push_back(std::move(game));
    if (games_.size() <= kMost) return;
    for (std::size_t i = 1; 2 * i < games_.size(); ++i) games_[i] = std::move(games_[2 * i]);
    games_.resize((games_.size() + 1) / 2);
    stride_ *= 2;
}

}  // namespace solis::data
