// Dividing the clock.
#include "planner/time_control.h"

#include <algorithm>
#include <ctime>

namespace solis::planner {
namespace {

// Without a number of moves to go, a game is taken to last this much longer.
constexpr int kMovesExpected = 28;
// No move takes more than this share of what is left, nor this many times what it wanted.
constexpr double kLargestShare = 0.35;
constexpr double kLargestStretch = 4.0;

Milliseconds at_least_one(double milliseconds) {
    return Milliseconds(
        std::max<Milliseconds::rep>(1, static_cast<Milliseconds::rep>(milliseconds)));
}

TimeBudget from_clock(double left, double increment, int moves_to_go, double overhead) {
    const int moves = moves_to_go > 0 ? std::min(moves_to_go, kMovesExpected) : kMovesExpected;
    // Every move to come costs the overhead once.
    const double usable = std::max(0.0, left - overhead);
    const double pool =
        std::max(0.0, left + increment * (moves - 1) - overhead * static_cast<double>(moves));
    const double wanted = pool / moves;
    const double share = moves_to_go == 1 ? 0.9 : kLargestShare;
    const double allowed = std::min(usable * share, wanted * kLargestStretch);
    return {at_least_one(std::min(wanted, allowed)), at_least_one(allowed)};
}

std::chrono::nanoseconds thread_cpu_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

std::optional<TimeBudget> time_budget(const Limits& limits, chess::Color mover,
                                      Milliseconds overhead) {
    if (limits.infinite) return std::nullopt;
    const auto fixed_overhead = static_cast<double>(overhead.count());
    if (limits.movetime) {
        const auto time = static_cast<double>(limits.movetime->count());
        // A user who gives a move less than the overhead still wants some thought.
        const Milliseconds all = at_least_one(std::max(time - fixed_overhead, time / 2));
        return TimeBudget{all, all};
    }
    if (!limits.clock) return std::nullopt;
    const bool white = mover == chess::Color::White;
    const ClockTime& clock = *limits.clock;
    return from_clock(
        static_cast<double>((white ? clock.white : clock.black).count()),
        static_cast<double>((white ? clock.white_increment : clock.black_increment).count()),
        clock.moves_to_go, fixed_overhead);
}

TimeControl::TimeControl(const Limits& limits, chess::Color mover, Milliseconds overhead)
    : start_(Clock::now()),
      ponder_(limits.ponder),
      fixed_(limits.movetime.has_value()),
      budget_(time_budget(limits, mover, overhead)) {
    if (limits.count_cpu_time) cpu_start_ = thread_cpu_time();
}

TimeControl::Duration TimeControl::used() const {
    return cpu_start_ ? thread_cpu_time() - *cpu_start_ : Clock::now() - start_;
}

Milliseconds TimeControl::elapsed() const {
    return std::chrono::duration_cast<Milliseconds>(used());
}

std::optional<TimeControl::Duration> TimeControl::counted(const Signals& signals) const {
    if (!ponder_) return used();
    const auto hit = signals.ponder_hit_time();
    if (!hit) return std::nullopt;
    return Clock::now() - *hit;
}

bool TimeControl::is_over(const Signals& signals) const {
    if (!budget_) return false;
    const auto time = counted(signals);
    return time && *time >= budget_->allowed;
}

bool TimeControl::is_enough(const Signals& signals, double share) const {
    if (!budget_ || fixed_ || !counted(signals)) return false;
    // Time spent pondering was thought, too.
    return std::chrono::duration<double>(used()) >= share * budget_->wanted;
}

}  // namespace solis::planner
