// What came out of a suite: totals, and by rating and theme.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "solis/lab/suite/solver.h"
#include "solis/lab/suite/suite.h"

namespace solis::lab {

struct SolvedTally {
    std::string name;  // a band of ratings ("1200-1399"), a theme
    std::uint64_t problems = 0;
    std::uint64_t solved = 0;
    std::int64_t points = 0;
    std::int64_t max_points = 0;

    void add(const Problem& problem, const Attempt& attempt);
    // Wilson's 95 % interval of the share solved.
    struct Interval {
        double low, high;
    };
    // So few problems that the share may be wrong by ten points and more.
    static constexpr std::uint64_t kFew = 100;
    [[nodiscard]] bool is_of_few() const { return problems < kFew; }
    [[nodiscard]] Interval interval() const;
    [[nodiscard]] double share() const {
        return problems == 0 ? 0 : static_cast<double>(solved) / static_cast<double>(problems);
    }
};

struct SuiteReport {
    std::string suite;
    std::string engine;
    std::string limits;
    SolvedTally total;
    std::vector<SolvedTally> ratings;  // ascending; empty where no problem has a rating
    std::vector<SolvedTally> themes;   // the most frequent first
    std::uint64_t faults = 0;
    std::uint64_t mates_proved = 0;
    double seconds = 0;  // of thinking
    double nodes = 0;
};

// Of the attempts that were made.
[[nodiscard]] SuiteReport make_report(const Suite& suite, const PlayerSpec& player,
                                      std::span<const Attempt> attempts);

// One line per engine, then bands and themes side by side, then a word where problems are so few
// that shares say little. All reports are of the same problems.
[[nodiscard]] std::string suite_table(std::span<const SuiteReport> reports);
// One JSON object; with the attempts where they are given.
[[nodiscard]] std::string to_json(const SuiteReport& report, const Suite& suite,
                                  std::span<const Attempt> attempts);

}  // namespace solis::lab
