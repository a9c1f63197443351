// Tests of planner/deep/maybe_value.h.
#include "solis/planner/deep/maybe_value.h"

#include <gtest/gtest.h>

namespace solis::planner {
namespace {

TEST(MaybeValue, IsThereForEveryValueOfASearchAndOtherwiseNot) {
    EXPECT_FALSE(MaybeValue(std::nullopt));
    for (const Value value : {0, 1, -1, kInfinite, -kInfinite, mate_in(1), mated_in(0)}) {
        const MaybeValue maybe(value);
        ASSERT_TRUE(maybe) << value;
        EXPECT_EQ(*maybe, value);
    }
}

}  // namespace
}  // namespace solis::planner
