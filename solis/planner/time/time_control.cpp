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
// So many overheads and so many of the largest delays seen stay on the clock.
constexpr double kReservedOverheads = 5;
constexpr double kReservedLags = 2;

// The least a move gets of a clock with nothing left to divide, in milliseconds and as a share of
// the clock: enough to score the children, and so little that hundreds of moves can follow.
constexpr double kLeast = 1.0;
constexpr double kLeastShare = 0.005;

TimeBudget::Microseconds microseconds(double milliseconds) {
    return TimeBudget::Microseconds(
        static_cast<TimeBudget::Microseconds::rep>(1000 * milliseconds));
}

// In milliseconds.
struct ClockShare {
    double left;
    double increment;
    int moves_to_go;  // 0: for the rest of the game
    double overhead;  // what every move costs beside its thinking
    double lag;       // what a move may cost now and then
};

TimeBudget from_clock(const ClockShare& clock) {
    const double left = clock.left;
    const int moves =
        clock.moves_to_go > 0 ? std::min(clock.moves_to_go, kMovesExpected) : kMovesExpected;
    // The reserve is never planned with: some moves come late one after the other.
    const double reserve = clock.overhead * std::min<double>(kReservedOverheads, moves) +
                           clock.lag * std::min<double>(kReservedLags, moves);
    const double usable = std::max(0.0, left - reserve);
    // Every move to come costs the overhead once.
    const double pool = left - reserve + clock.increment * (moves - 1) -
                        clock.overhead * static_cast<double>(moves);
    // With an increment smaller than the overhead the pool is empty although the clock is not. The
    // overhead is then taken as what a move costs at most, and half of what is usable is divided.
    const double without_overhead = clock.increment > 0 ? usable / 2 : 0.0;
    const double wanted = std::max(pool, without_overhead) / moves;
    const double share = clock.moves_to_go == 1 ? 0.9 : kLargestShare;
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

std::chrono::nanoseconds start_of(const Limits& limits,
                                  const std::function<std::chrono::nanoseconds()>& now) {
    const bool steady = !limits.clock_source && !limits.count_cpu_time;
    return steady && limits.asked ? limits.asked->time_since_epoch() : now();
}

}  // namespace

std::optional<TimeBudget> time_budget(const Limits& limits, chess::Color mover,
                                      Milliseconds overhead) {
    if (limits.infinite) return std::nullopt;
    if (limits.movetime) return TimeBudget{*limits.movetime, *limits.movetime};
    if (!limits.clock) return std::nullopt;
    const bool white = mover == chess::Color::White;
    const ClockTime& clock = *limits.clock;
    const auto ms = [](Milliseconds time) { return static_cast<double>(time.count()); };
    return from_clock({ms(white ? clock.white : clock.black),
                       ms(white ? clock.white_increment : clock.black_increment), clock.moves_to_go,
                       ms(overhead), ms(limits.lag)});
}

TimeControl::TimeControl(const Limits& limits, chess::Color mover, Milliseconds overhead)
    : now_(clock_for(limits)),
      start_(start_of(limits, now_)),
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
