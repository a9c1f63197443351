// CPU time, which other work on the machine disturbs less than the clock on the wall.
#pragma once
#include <algorithm>
#include <ctime>

namespace solis {

[[nodiscard]] inline double cpu_seconds(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Of the calling thread, and of all threads of this process.
[[nodiscard]] inline double thread_cpu_seconds() { return cpu_seconds(CLOCK_THREAD_CPUTIME_ID); }
[[nodiscard]] inline double process_cpu_seconds() { return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID); }

// Lowers `best` to the seconds that `work` takes on this thread, if they are fewer.
template <class Work>
void time_best(double& best, Work&& work) {
    const double start = thread_cpu_seconds();
    work();
    best = std::min(best, std::max(thread_cpu_seconds() - start, 1e-9));
}

// Seconds that `work` takes, those of its threads included; never 0.
template <class Work>
[[nodiscard]] double seconds_of(Work&& work) {
    const double start = process_cpu_seconds();
    work();
    return std::max(process_cpu_seconds() - start, 1e-9);
}

}  // namespace solis
