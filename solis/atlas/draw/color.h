// Colours of pictures: a light and a dark theme, and the scale from dark green to gold.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"

namespace solis::atlas {

// Red, green and blue of sRGB and opacity, each within [0, 1].
struct Color {
    double r = 0, g = 0, b = 0, a = 1;

    [[nodiscard]] Color with_alpha(double alpha) const { return {r, g, b, alpha}; }
};

// "#rrggbb", without the opacity.
[[nodiscard]] std::string css(const Color& color);

struct Theme {
    std::string_view name;  // "light" or "dark"
    Color background;
    Color ink;    // text and lines that matter
    Color faint;  // grids, frames and remarks
    Color path;
    Color accent;  // marks on a path
    // From 0 to 1 at equal distances. Lightness rises all the way, so that the ends can be told
    // apart without seeing colours; green is as dark as the background allows.
    std::vector<Color> scale;
};

[[nodiscard]] Theme light_theme();
[[nodiscard]] Theme dark_theme();
[[nodiscard]] Result<Theme> theme_from_name(std::string_view name);
// Colour of a value in [0, 1]; values outside get that of the nearest end.
[[nodiscard]] Color scale_color(const Theme& theme, double value);

}  // namespace solis::atlas
