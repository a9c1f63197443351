// One line of progress on a terminal: share done, rate, time left.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "solis/base/console.h"

namespace solis {

// "12 s", "3 min 05 s", "2 h 10 min".
[[nodiscard]] std::string format_duration(double seconds);
// "950", "12.3 k", "4.56 M".
[[nodiscard]] std::string format_count(double value);

class Progress {
  public:
    // total 0: unknown, only count and rate are shown. Silent unless stderr is a terminal.
    Progress(Console& console, std::string label, std::uint64_t total, std::string unit);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    // Cheap to call often: draws at most ten times a second. `extra` is shown at the end.
    void update(std::uint64_t done, const std::string& extra = {});
    // Wipes the line, so that other output can follow.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    void draw(std::uint64_t done, const std::string& extra, double elapsed);

    bool visible_;
    bool redraws_;  // one line again and again; otherwise now and then a line of its own
    bool drawn_ = false;
    std::string label_;
    std::uint64_t total_;
    std::string unit_;
    std::uint64_t first_done_ = 0;  // work found done by an earlier run does not count as speed
    bool started_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_draw_ = Clock::now();
};

}  // namespace solis
