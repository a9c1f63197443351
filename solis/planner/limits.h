// How long a plan may think, and the signals that end it from outside.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "solis/chess/types.h"

namespace solis::planner {

using Milliseconds = std::chrono::milliseconds;

// What a clock is set to for a game.
struct ClockControl {
    Milliseconds base{0};
    Milliseconds increment{0};  // after every move
    int moves = 0;              // base is added again after so many; 0: never

    friend bool operator==(const ClockControl&, const ClockControl&) = default;
};

// What the clocks show when a search begins.
struct ClockTime {
    Milliseconds white{0};
    Milliseconds black{0};
    Milliseconds white_increment{0};
    Milliseconds black_increment{0};
    int moves_to_go = 0;  // 0: for the rest of the game
};

// The limits of one search. What is not set does not limit. Without any limit the paper plan ends
// after its S plies, and the other plans search until stopped.
struct Limits {
    std::optional<int> depth{};
    // Positions visited, or scored by the encoder, a cache or the rules: a bound on the work.
    std::optional<std::uint64_t> nodes{};
    // Positions embedded, for comparisons at equal cost of the encoder. Such a search also ends
    // after kNodesPerEmbedding times as many nodes, because one in which every position is in the
    // cache embeds nothing any more.
    std::optional<std::uint64_t> embeddings{};
    std::optional<int> mate{};  // end at a mate in this many moves
    std::optional<Milliseconds> movetime{};
    std::optional<ClockTime> clock{};
    bool infinite = false;  // answer only when stopped
    // Answer only when stopped or after a ponderhit, which is when time starts to count.
    bool ponder = false;
    // When the question came, where that is earlier than the call of the planner: time counts from
    // there. Only for the steady clock.
    std::optional<std::chrono::steady_clock::time_point> asked{};
    // The largest delay seen lately between the engine and whoever keeps the clock. A reserve for
    // such delays stays on the clock.
    Milliseconds lag{0};
    // Time is the CPU time of the planning thread, for matches on a busy machine.
    bool count_cpu_time = false;
    // Tells the time instead of the steady clock; called from any thread. May be none.
    std::function<std::chrono::nanoseconds()> clock_source{};
    std::vector<chess::Move> search_moves{};  // only these; empty: all

    static constexpr std::uint64_t kNodesPerEmbedding = 16;

    // Whether so much work is enough.
    [[nodiscard]] bool is_reached(std::uint64_t scored, std::uint64_t embedded) const {
        return (nodes && scored >= *nodes) ||
               (embeddings &&
                (embedded >= *embeddings || scored / kNodesPerEmbedding >= *embeddings));
    }
};

// Set by another thread than the one that plans. One per call of Planner::plan.
class Signals {
  public:
    // The plan ends as soon as it can, within milliseconds.
    void stop();
    // The move that was pondered on has been played.
    void ponder_hit();

    [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
    // When ponder_hit() was called.
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> ponder_hit_time() const;
    // Blocks until stop(), or until ponder_hit() where that counts.
    void wait(bool hit_is_enough) const;

  private:
    void raise(std::atomic<bool>& flag);

    std::chrono::steady_clock::time_point hit_time_{};  // written before hit_
    std::atomic<bool> stopped_{false};
    std::atomic<bool> hit_{false};
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
};

}  // namespace solis::planner
