// How much time a move gets, and whether it is over.
#pragma once
#include <chrono>
#include <functional>
#include <optional>

#include "solis/chess/types.h"
#include "solis/planner/limits.h"

namespace solis::planner {

// The share of the clock for one move.
struct TimeBudget {
    using Microseconds = std::chrono::microseconds;

    Microseconds wanted{0};   // begin no new iteration after it, unless the position is unclear
    Microseconds allowed{0};  // never think longer
};

// None where time does not limit. A fixed time for the move (movetime) is used in full, as UCI
// asks and other engines do; the overhead is kept back from clocks, where time that one move takes
// too much is missing later. The budget is never zero, whatever the clock says.
[[nodiscard]] std::optional<TimeBudget> time_budget(const Limits& limits, chess::Color mover,
                                                    Milliseconds overhead);

// A running clock, for any thread. Time begins to count at Limits::asked, or else when this is
// made; when pondering, at the ponder hit.
class TimeControl {
  public:
    using Clock = std::chrono::steady_clock;
    using Duration = std::chrono::nanoseconds;

    TimeControl(const Limits& limits, chess::Color mover, Milliseconds overhead);

    [[nodiscard]] Milliseconds elapsed() const;
    // Whether the allowed time has passed.
    [[nodiscard]] bool is_over(const Signals& signals) const;
    // Whether `share` of the wanted time has passed; more than 1 where the plan is in doubt.
    [[nodiscard]] bool is_enough(const Signals& signals, double share) const;
    [[nodiscard]] bool limits_time() const { return budget_.has_value(); }

  private:
    // Since the time began to count; none while still pondering.
    [[nodiscard]] std::optional<Duration> counted(const Signals& signals) const;

    [[nodiscard]] Duration used() const { return now_() - start_; }

    std::function<Duration()> now_;
    Duration start_;
    bool ponder_;
    bool fixed_;  // a fixed time for the move: all of it is wanted
    std::optional<TimeBudget> budget_;
};

}  // namespace solis::planner
