// Guessing what a mistyped word was meant to be; text for pages.
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

TEST(EscapeXml, LeavesNothingThatEndsATextOrAnAttribute) {
    EXPECT_EQ(escape_xml("<a href=\"b\">R&D</a>"), "&lt;a href=&quot;b&quot;&gt;R&amp;D&lt;/a&gt;");
    EXPECT_EQ(escape_xml(std::string_view("a\0b\x1b[1mc\n\td", 11)), "ab[1mc\n\td")
        << "XML has no control characters but these two";
    EXPECT_EQ(escape_xml("Müller – 1\u20444"), "Müller – 1\u20444");
}

}  // namespace
}  // namespace solis
