// A table over all scores, which rises everywhere.
#include "solis/planner/deep/log_odds.h"

#include <cmath>

namespace solis::planner {
namespace {

constexpr double kLargest = kDecidedBound - 1;
// Scores whose log-odds are computed; those between are interpolated, which takes a tenth of the
// time.
constexpr int kStep = 10;

}  // namespace

LogOdds::LogOdds(const model::LoadedModel& model) : table_(2 * kReach + 1) {
    const ValueScale scale(model, Scoring::Unanchored);
    const auto exact = [&](int score) {
        const double centipawns = scale.exact_centipawns(score, chess::Color::White);
        return std::clamp(kPerCentipawn * centipawns, 0.0, kLargest);
    };
    double from = exact(0);
    for (int score = 0; score < kReach; score += kStep) {
        const double to = exact(score + kStep);
        for (int i = 0; i <= kStep; ++i) {
            const long value = std::lround(from + (to - from) * i / kStep);
            table_[static_cast<std::size_t>(kReach + score + i)] = static_cast<std::int16_t>(value);
            table_[static_cast<std::size_t>(kReach - score - i)] =
                static_cast<std::int16_t>(-value);
        }
        from = to;
    }
}

Value LogOdds::to_plan(Value log_odds, Value draw) const {
    if (is_decided(log_odds)) return log_odds;
    // The middle of the scores that have these log-odds.
    const auto [first, last] = std::equal_range(table_.begin(), table_.end(), log_odds);
    const auto middle = ((first - table_.begin()) + (last - table_.begin())) / 2;
    return std::clamp(static_cast<int>(middle) - kReach, -kReach, kReach) + draw;
}

}  // namespace solis::planner
