// Dividing the time on the clock among the moves to come.
#include "solis/planner/time/time_control.h"

#include <algorithm>
#include <ctime>

#include <pthread.h>

namespace solis::planner {
namespace {

// Without `movestogo` a game is assumed to last this many more moves.
constexpr int kMovesExpected = 28;
// No move takes more than this share of what is left, nor this many times what it wanted.
constexpr double kLargestShare = 0.35;
constexpr double kLargestStretch = 4.0;
constexpr double kKeptOverheads = 5;

// The least a move gets of a clock with nothing left to divide, in milliseconds and as a share of
// the clock: enough to score the children, and so little that hundreds of moves can follow.
constexpr double kLeast = 1.0;
constexpr double kLeastShare = 0.005;

TimeBudget::Microseconds microseconds(double milliseconds) {
    return TimeBudget::Microseconds(
        static_cast<TimeBudget::Microseconds::rep>(1000 * milliseconds));
}

TimeBudget from_clock(double left, double increment, int moves_to_go, double overhead) {
    const int moves = moves_to_go > 0 ? std::min(moves_to_go, kMovesExpected) : kMovesExpected;
    // Every move to come costs the overhead once.
    const double usable = std::max(0.0, left - overhead);
    const double pool = left + increment * (moves - 1) - overhead * static_cast<double>(moves);
    // With an increment smaller than the overhead the pool is empty although the clock is not. The
    // overhead is then taken as what a move may cost now and then: a few overheads are kept in
    // reserve, and half of what lies above them is divided.
    const double kept = overhead * std::min<double>(kKeptOverheads, moves);
    const double above = increment > 0 ? std::max(0.0, left - kept) : 0.0;
    const double wanted = std::max(pool, above / 2) / moves;
    const double share = moves_to_go == 1 ? 0.9 : kLargestShare;
    const double least = std::min(kLeast, kLeastShare * left);
    const double allowed = std::max(least, std::min(usable * share, wanted * kLargestStretch));
    return {microseconds(std::clamp(wanted, least, allowed)), microseconds(allowed)};
}

// The CPU time of the thread that calls this, for all threads.
std::function<std::chrono::nanoseconds()> cpu_clock_of_this_thread() {
    clockid_t clock{};
    ::pthread_getcpuclockid(::pthread_self(), &clock);
    return [clock] {
        timespec now{};
        ::clock_gettime(clock, &now);
        return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    };
}

std::function<std::chrono::nanoseconds()> clock_for(const Limits& limits) {
    if (limits.clock_source) return limits.clock_source;
    if (limits.count_cpu_time) return cpu_clock_of_this_thread();
    return [] { return std::chrono::nanoseconds(TimeControl::Clock::now().time_since_epoch()); };
}

}  // namespace

std::optional<TimeBudget> time_budget(const Limits& limits, chess::Color mover,
                                      Milliseconds overhead) {
    if (limits.infinite) return std::nullopt;
    if (limits.movetime) return TimeBudget{*limits.movetime, *limits.movetime};
    if (!limits.clock) return std::nullopt;
    const bool white = mover == chess::Color::White;
    const ClockTime& clock = *limits.clock;
    return from_clock(
        static_cast<double>((white ? clock.white : clock.black).count()),
        static_cast<double>((white ? clock.white_increment : clock.black_increment).count()),
        clock.moves_to_go, static_cast<double>(overhead.count()));
}

TimeControl::TimeControl(const Limits& limits, chess::Color mover, Milliseconds overhead)
    : now_(clock_for(limits)),
      start_(now_()),
      ponder_(limits.ponder),
      fixed_(limits.movetime.has_value()),
      budget_(time_budget(limits, mover, overhead)) {}

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
    // Time spent pondering counts as thinking, which makes this true sooner.
    return std::chrono::duration<double>(used()) >= share * budget_->wanted;
}

}  // namespace solis::planner
