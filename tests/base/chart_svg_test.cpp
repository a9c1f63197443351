// Charts are well-formed whatever they show.
#include "solis/base/chart_svg.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace solis {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

TEST(ChartSvg, DrawsALineABandAndPoints) {
    ChartSeries series{"one", chart_color(0), {{0, 10, 5, 15}, {1, 20, 18, 22}}};
    series.banded = series.dotted_points = true;
    const std::string svg = chart_svg("title", {{"caption", {series}, {0, 1}}});
    EXPECT_EQ(count(svg, "<polyline"), 1u);
    EXPECT_EQ(count(svg, "<polygon"), 1u);
    EXPECT_EQ(count(svg, "<circle"), 2u);
    // The axis reaches from below the lowest to above the highest end of the band.
    EXPECT_NE(svg.find(">5<"), std::string::npos);
    EXPECT_NE(svg.find(">25<"), std::string::npos);
}

TEST(ChartSvg, AxesHaveRoundNumbers) {
    const std::string svg =
        chart_svg("title", {{"caption", {{"one", "red", {{130, 28.26}, {1010, 56.5}}}}, {}}});
    for (const char* tick : {">20<", ">30<", ">60<", ">200<", ">1000<"}) {
        EXPECT_NE(svg.find(tick), std::string::npos) << tick;
    }
    EXPECT_EQ(svg.find("28.26"), std::string::npos);
}

TEST(ChartSvg, OnePointIsSeenWithItsErrorAndItsValue) {
    ChartSeries series{"one", "red", {{3, 0.002, 0.001, 0.004}}};
    EXPECT_EQ(count(chart_svg("", {{"", {series}, {}}}), "<circle"), 1u)
        << "though no dots are asked for";
    series.banded = true;
    const std::string svg = chart_svg("", {{"", {series}, {}}});
    EXPECT_EQ(count(svg, "<circle"), 1u);
    EXPECT_EQ(count(svg, "<polygon"), 0u) << "it would have no width";
    EXPECT_EQ(count(svg, "stroke-opacity"), 1u) << "the error as a bar";
    EXPECT_EQ(count(svg, "text-anchor=\"middle\""), 1u) << "only the value that was measured";
    EXPECT_NE(svg.find("text-anchor=\"middle\">3<"), std::string::npos);
}

TEST(ChartSvg, ASmallValueAloneStandsAwayFromZero) {
    const std::string svg = chart_svg("", {{"", {{"", "red", {{0, 0.002}}}}, {}}});
    EXPECT_NE(svg.find(">0.0018<"), std::string::npos) << svg;
    EXPECT_EQ(svg.find(">-"), std::string::npos) << "no negative numbers beside a positive one";
}

TEST(ChartSvg, EndsForHugeAndForAlmostEqualNumbers) {
    for (const double size : {1e-300, 1e9, 1e300}) {
        const std::string svg = chart_svg(
            "",
            {{"", {{"", "red", {{size, size}, {size * (1 + 1e-15), size * (1 + 1e-15)}}}}, {}}});
        EXPECT_LT(count(svg, "<line"), 9u) << size;
    }
}

TEST(ChartSvg, EscapesTextAndSurvivesEmptyAndFlatSeries) {
    const std::string svg =
        chart_svg("a < b & c", {{"none", {}, {}}, {"flat", {{"x", "red", {{3, 3}, {3, 3}}}}, {}}});
    EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace solis
