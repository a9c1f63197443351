// How much later than planned answers reach whoever keeps the clock.
#pragma once
#include <chrono>
#include <optional>

#include "solis/chess/types.h"
#include "solis/planner/limits.h"

namespace solis::engine {

// A move costs more time than the plan was allowed: the thread that plans is scheduled late, and
// pipes and the other side take their time. The clock of the next `go` tells how much it was in
// all, because what is missing on it and was not spent here was lost on the way. On a quiet machine
// that is less than a millisecond; on a busy one the margin grows with what was seen, and shrinks
// again.
class LagMeter {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;

    // A `go` with these limits, of which `asked` is read, is about to be answered.
    void on_go(const planner::Limits& limits, chess::Color mover, planner::Milliseconds overhead);
    // Its answer was written.
    void on_answer(TimePoint written);
    // The clock of the next `go` belongs to another game.
    void new_game() { last_.reset(); }

    // The largest delay seen lately, rounded up: what to keep back.
    [[nodiscard]] planner::Milliseconds margin() const;

  private:
    using Duration = std::chrono::microseconds;
    struct Turn {
        chess::Color mover;
        planner::Milliseconds left{0};
        planner::Milliseconds increment{0};
        int moves_to_go = 0;
        TimePoint asked{};
        Duration allowed{0};  // for the plan
        std::optional<TimePoint> answered{};
    };

    void learn_from_clock(const Turn& now);
    void note(Duration delay);

    std::optional<Turn> last_;
    Duration overrun_{0};  // of the last answer: how much later it was written than allowed
    Duration margin_{0};
};

}  // namespace solis::engine
