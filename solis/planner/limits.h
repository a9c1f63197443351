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
    std::optional<std::uint64_t> nodes{};  // positions embedded
    std::optional<int> mate{};             // stop at a mate in this many moves
    std::optional<Milliseconds> movetime{};
    std::optional<ClockTime> clock{};
    bool infinite = false;  // answer only when stopped
    bool ponder = false;  // answer only when stopped or after ponderhit; time starts to count then
    // The time of a move is CPU time of the planning thread: for matches on a busy machine.
    bool count_cpu_time = false;
    // What says the time instead of the clock on the wall, from any thread; may be none.
    std::function<std::chrono::nanoseconds()> clock_source{};
    std::vector<chess::Move> search_moves{};  // only these; empty: all
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
