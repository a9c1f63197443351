// Guessing what a mistyped word was meant to be.
#include "solis/base/text.h"

#include <vector>

#include <gtest/gtest.h>

namespace solis {
namespace {

TEST(Nearest, FindsTheWordThatWasMeant) {
    const std::vector<std::string> names{"analyze", "axis", "rank", "rate", "match", "--out", "-q"};
    EXPECT_EQ(nearest("rnak", names), "rank") << "swapped";
    EXPECT_EQ(nearest("analize", names), "analyze") << "changed";
    EXPECT_EQ(nearest("mach", names), "match") << "left out";
    EXPECT_EQ(nearest("axiss", names), "axis") << "added";
    EXPECT_EQ(nearest("anal", names), "analyze") << "abbreviated";
    EXPECT_EQ(nearest("--outt", names), "--out");
    EXPECT_EQ(nearest("xyzzy", names), "");
    EXPECT_EQ(nearest("", names), "");
    EXPECT_EQ(nearest(std::string(100'000, 'a'), names), "");
    EXPECT_EQ(nearest("rank", {}), "");
}

}  // namespace
}  // namespace solis
