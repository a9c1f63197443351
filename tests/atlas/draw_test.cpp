// Pictures: labels, colours, and files that stand on their own.
#include <cmath>

#include <gtest/gtest.h>

#include "solis/atlas/draw/html.h"
#include "solis/atlas/draw/labels.h"
#include "solis/atlas/draw/picture.h"
#include "tests/atlas/random_points.h"

namespace solis::atlas {
namespace {

MapPicture sample_picture(std::size_t points, bool with_path) {
    MapPicture picture;
    Rng rng(Seed{1});
    for (std::size_t i = 0; i < points; ++i) {
        picture.cloud.places.push_back({bell(rng), bell(rng)});
        picture.cloud.values.push_back(static_cast<float>(rng.unit()));
    }
    picture.title = "Map <of> \"things\" & others";
    picture.low_label = "low";
    picture.high_label = "high";
    picture.arrow = MapArrow{{-1, 0}, {1, 0}, "from", "to"};
    picture.panels.resize(1);
    if (with_path) {
        picture.panels[0].path =
            MapPath{{{0, 0}, {1, 1}, {2, 0}}, {0.2, 0.5, 0.9}, {{1, "1.e4"}}, 1};
    }
    return picture;
}

std::size_t occurrences(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(LabelPlacer, LabelsNeverOverlapAndStayInside) {
    const Box within{0, 0, 400, 300};
    LabelPlacer labels(within);
    Rng rng(Seed{2});
    std::vector<Box> placed;
    for (int i = 0; i < 200; ++i) {
        const Pixel point{400 * rng.unit(), 300 * rng.unit()};
        if (const auto box = labels.place(point, "12...Qxb2", 12)) placed.push_back(*box);
    }
    EXPECT_GT(placed.size(), 40u);
    EXPECT_LT(placed.size(), 200u) << "there is no room for all of them";
    for (std::size_t i = 0; i < placed.size(); ++i) {
        EXPECT_GE(placed[i].x, 0);
        EXPECT_LE(placed[i].right(), 400);
        for (std::size_t j = i + 1; j < placed.size(); ++j) {
            const bool apart =
                placed[i].right() <= placed[j].x || placed[j].right() <= placed[i].x ||
                placed[i].bottom() <= placed[j].y || placed[j].bottom() <= placed[i].y;
            EXPECT_TRUE(apart) << i << ' ' << j;
        }
    }
}

// CIE lightness, from linear light.
double lightness(const Color& color) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(ColorScale, CanBeReadWithoutSeeingColours) {
    for (const Theme& theme : {light_theme(), dark_theme()}) {
        double before = -1;
        for (double value = 0; value <= 1.0001; value += 0.05) {
            const double light = lightness(scale_color(theme, value));
            EXPECT_GT(light, before) << theme.name << ' ' << value;
            before = light;
        }
        EXPECT_GT(lightness(scale_color(theme, 1)) - lightness(scale_color(theme, 0)), 40);
        for (const double end : {0.0, 1.0}) {
            EXPECT_GT(std::abs(lightness(scale_color(theme, end)) - lightness(theme.background)),
                      20)
                << theme.name << ": points must stand out from the background";
        }
    }
}

TEST(DotStyle, ManyPointsAreSmallerAndFainter) {
    const DotStyle few = dot_style(1000, 700), many = dot_style(100'000, 700);
    EXPECT_NEAR(few.radius, 3.1, 0.2);
    EXPECT_NEAR(many.radius, 0.8, 0.2);
    EXPECT_LT(many.alpha, few.alpha);
}

TEST(Svg, KeepsFewPointsAsCirclesAndManyAsOneImage) {
    const auto few = to_svg(sample_picture(300, false), light_theme());
    ASSERT_TRUE(few);
    EXPECT_GT(occurrences(*few, "<circle"), 299u);
    EXPECT_EQ(occurrences(*few, "<image"), 0u);
    EXPECT_NE(few->find("Map &lt;of&gt; &quot;things&quot; &amp; others"), std::string::npos);
    const auto many = to_svg(sample_picture(9000, true), dark_theme());
    EXPECT_LT(occurrences(*many, "<circle"), 50u);
    EXPECT_EQ(occurrences(*many, "<image"), 1u);
    EXPECT_NE(many->find("1.e4"), std::string::npos);
}

TEST(Png, IsOneForPicturesWithAndWithoutPaths) {
    for (const bool path : {false, true}) {
        for (const std::size_t points : {0u, 1u, 500u}) {
            const auto png = to_png(sample_picture(points, path), light_theme());
            ASSERT_TRUE(png);
            EXPECT_EQ(png->substr(0, 8), "\x89PNG\r\n\x1a\n");
        }
    }
}

TEST(Html, NeedsNothingFromOutside) {
    HtmlExtras extras;
    extras.labels.assign(50, "</script><b>");
    const std::string html = to_html(sample_picture(50, true), extras);
    EXPECT_EQ(html.find("http"), std::string::npos) << "no address of anything";
    EXPECT_EQ(html.find("src="), std::string::npos);
    EXPECT_EQ(html.find('@' + std::string("DATA")), std::string::npos);
    EXPECT_EQ(occurrences(html, "</script>"), 2u) << "labels cannot end the script";
}

TEST(Base64, AgreesWithTheStandard) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace solis::atlas
