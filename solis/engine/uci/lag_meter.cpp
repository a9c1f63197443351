// What is missing on a clock and was not spent here is delay.
#include "solis/engine/uci/lag_meter.h"

#include <algorithm>

#include "solis/planner/time/time_control.h"

namespace solis::engine {
namespace {

using std::chrono::microseconds;

// A delay counts in full at first and fades by this factor from move to move: half of it is
// forgotten after some thirteen moves.
constexpr double kFading = 0.95;
// More than this was no delay: somebody set the clock, or took a break.
constexpr microseconds kLongestDelay = std::chrono::seconds(2);
// Clocks are told in whole milliseconds, so that this much is missing by rounding alone.
constexpr microseconds kRounding{1000};

}  // namespace

void LagMeter::on_go(const planner::Limits& limits, chess::Color mover,
                     planner::Milliseconds overhead) {
    // While pondering, time begins at a ponderhit, which is not seen here.
    if (!limits.clock || !limits.asked || limits.ponder || limits.infinite) {
        last_.reset();
        return;
    }
    const bool white = mover == chess::Color::White;
    const planner::ClockTime& clock = *limits.clock;
    Turn now{.mover = mover,
             .left = white ? clock.white : clock.black,
             .increment = white ? clock.white_increment : clock.black_increment,
             .moves_to_go = clock.moves_to_go,
             .asked = *limits.asked};
    learn_from_clock(now);
    planner::Limits planned = limits;
    planned.lag = margin();
    now.allowed = planner::time_budget(planned, mover, overhead)->allowed;
    last_ = now;
}

void LagMeter::learn_from_clock(const Turn& now) {
    if (!last_ || !last_->answered || last_->mover != now.mover) return;
    if (last_->moves_to_go == 1) return;  // time was added for the next moves
    const microseconds missing = last_->left + last_->increment - now.left;
    const auto spent = std::chrono::duration_cast<microseconds>(*last_->answered - last_->asked);
    const microseconds on_the_way = missing - spent - kRounding;
    if (missing < microseconds(0) || on_the_way > kLongestDelay) return;
    note(overrun_ + std::max(on_the_way, microseconds(0)));
}

void LagMeter::on_answer(TimePoint written) {
    if (!last_ || last_->answered) return;
    last_->answered = written;
    const auto spent = std::chrono::duration_cast<microseconds>(written - last_->asked);
    overrun_ = std::clamp(spent - last_->allowed, microseconds(0), kLongestDelay);
}

void LagMeter::note(microseconds delay) {
    const auto faded = std::chrono::duration<double, std::micro>(margin_) * kFading;
    margin_ = std::max(delay, std::chrono::duration_cast<microseconds>(faded));
}

planner::Milliseconds LagMeter::margin() const {
    return std::chrono::ceil<planner::Milliseconds>(margin_);
}

}  // namespace solis::engine
