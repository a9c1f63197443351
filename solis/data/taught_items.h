// Items of games that hold moves only: a teacher labels them when they are drawn.
#pragma once
#include <cstdint>
#include <stop_token>
#include <vector>

#include "solis/base/thread_pool.h"
#include "solis/data/labelled_game.h"
#include "solis/data/sampler.h"

namespace solis::data {

struct UntaughtGame {
    LabelledGame game;
    // By ply: whether the position is drawn, and children of it. Not where it came before.
    std::vector<bool> is_new;
};

// Appends the items of the games that pass the filter, in the order of the games, whatever the
// number of threads. The children of a game depend on the seed of the options, the epoch and the
// game. When a stop is requested it returns early, with some of the items.
template <class Item>
void append_taught(std::vector<UntaughtGame>& games, const SamplerOptions& options,
                   std::uint64_t epoch, ThreadPool& threads, const std::stop_token& stop,
                   std::vector<Item>& items);

// Every n-th of many games, whose number nobody knows before: where there are too many, every
// second one is dropped.
class GameSample {
  public:
    // Up to so many games, all of them are kept.
    static constexpr std::size_t kMost = 512;

    void offer(UntaughtGame game);
    [[nodiscard]] std::vector<UntaughtGame>& games() { return games_; }

  private:
    std::vector<UntaughtGame> games_;
    std::uint64_t offered_ = 0;
    std::uint64_t stride_ = 1;
};

}  // namespace solis::data
