// Whole games on a fake clock that advances with each embedding. They show whether the time control
// ever oversteps a limit, and do not depend on what else the machine does.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "solis/base/rng.h"
#include "solis/planner/plan.h"

namespace solis::planner {

// A clock that advances when it is told to. May be used from several threads.
class FakeClock {
  public:
    using Duration = std::chrono::nanoseconds;

    [[nodiscard]] Duration now() const { return Duration(now_.load(std::memory_order_relaxed)); }
    void advance(Duration time) { now_.fetch_add(time.count(), std::memory_order_relaxed); }

  private:
    std::atomic<Duration::rep> now_{0};
};

// The speed of the machine that is simulated.
struct FakeMachine {
    FakeClock::Duration per_embedding = std::chrono::microseconds(25);
    // Now and then, on average once in this many embeddings, nothing happens for up to `stall`.
    std::uint64_t stall_every = 20'000;
    FakeClock::Duration stall = std::chrono::milliseconds(2);
};

// The scores of `model`, whose evaluators take the time on `clock`. The clock must outlive it.
[[nodiscard]] std::shared_ptr<const model::LoadedModel> timed_model(
    std::shared_ptr<const model::LoadedModel> model, FakeClock& clock, const FakeMachine& machine);

// What a game is played at: a fixed time per move, or a clock.
struct TimeRule {
    std::optional<Milliseconds> movetime{};
    ClockControl clock{};  // where there is no movetime
    // Up to this passes between a move and the one who keeps the clock.
    std::chrono::microseconds lag{0};
};
// "5 ms/move", "100+5 ms", "40/300 ms".
[[nodiscard]] std::string to_string(const TimeRule& rule);

struct RehearsedGame {
    int plies = 0;
    bool illegal_move = false;
    bool time_loss = false;  // of a fixed time: by more than the overhead
    // The least a clock showed after a move; of a fixed time: what was left of it, less than
    // nothing where a move took longer.
    std::chrono::microseconds least_left{0};
    double share_used = 0;  // of all time that there was
};

// Plays the planner against itself from a random opening until the rules end the game, or until a
// move is illegal or too late. `planner` must think with a timed_model of `clock`.
[[nodiscard]] RehearsedGame rehearse_game(Planner& planner, FakeClock& clock, const TimeRule& rule,
                                          Seed seed);

}  // namespace solis::planner
