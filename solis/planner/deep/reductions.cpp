// The product of two logarithms, as most engines have it, with corrections in whole and part plies.
#include "solis/planner/deep/reductions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace solis::planner {
namespace {

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

int reduction(const ReductionCase& child, const DeepTuning& tuning) {
    if (!tuning.rank_reduction || child.depth < 2 || child.rank == 0) return 0;
    int less = tuning.reduction_base + tuning.reduction_slope * scaled_log(child.depth) *
                                           scaled_log(child.rank + 1) / (64 * 64);
    if (child.principal) less -= kPly;
    if (child.expected_cut) less += kPly;
    if (!child.improving) less += kPly / 2;
    if (child.check) less -= kPly;
    if (!child.quiet) less -= kPly / 2;
    less -= kPly * child.tendency / tuning.history_reduction;
    return std::clamp(less / kPly, 0, child.depth - 1);
}

}  // namespace solis::planner
