// The product of two logarithms, as most engines have it, with corrections in whole and part plies.
#include "solis/planner/deep/reductions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace solis::planner {
namespace {

constexpr int kManyCutoffs = 3;
constexpr int kPly = 100;  // reductions are counted in hundredths

// 64 times the natural logarithm.
int scaled_log(int number) {
    static const auto table = [] {
        std::array<int, 128> logs{};
        for (std::size_t i = 1; i < logs.size(); ++i) {
            logs[i] = static_cast<int>(64 * std::log(static_cast<double>(i)));
        }
        return logs;
    }();
    return table[static_cast<std::size_t>(std::clamp(number, 1, 127))];
}

}  // namespace

int reduction(const ReductionCase& move, const DeepTuning& tuning) {
    if (!tuning.reductions || move.rank == 0) return 0;
    int less = tuning.reduction_base + tuning.reduction_slope * scaled_log(move.depth) *
                                           scaled_log(move.rank + 1) / (64 * 64);
    if (move.principal) less -= tuning.principal_reduction;
    if (move.was_principal) less -= tuning.principal_reduction;
    if (move.expected_cut) less += tuning.cut_reduction;
    if (!move.improving) less += tuning.worse_reduction;
    if (move.cutoffs > kManyCutoffs) less += tuning.cutoffs_reduction;
    if (move.check) less -= tuning.check_reduction;
    if (!move.quiet) less -= tuning.capture_reduction;
    less -= kPly * move.tendency / tuning.history_reduction;
    return less / kPly;
}

}  // namespace solis::planner
