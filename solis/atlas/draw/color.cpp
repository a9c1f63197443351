// Themes.
#include "solis/atlas/draw/color.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace solis::atlas {
namespace {

constexpr Color hex(unsigned rgb) {
    return {((rgb >> 16) & 255) / 255.0, ((rgb >> 8) & 255) / 255.0, (rgb & 255) / 255.0, 1};
}

unsigned to_byte(double part) {
    return static_cast<unsigned>(std::lround(255 * std::clamp(part, 0.0, 1.0)));
}

}  // namespace

std::string css(const Color& color) {
    return fmt::format("#{:02x}{:02x}{:02x}", to_byte(color.r), to_byte(color.g), to_byte(color.b));
}

Theme light_theme() {
    return {
        "light",
        hex(0xfdfcf8),
        hex(0x1d2521),
        hex(0x8b918a),
        hex(0x1f3a93),
        hex(0xb3261e),
        {hex(0x06381f), hex(0x1f6240), hex(0x557f54), hex(0x929f62), hex(0xc8a83c), hex(0xf2b200)}};
}

Theme dark_theme() {
    return {
        "dark",
        hex(0x10161a),
        hex(0xeef1ea),
        hex(0x7d8a86),
        hex(0x9cc4ff),
        hex(0xff8a70),
        {hex(0x14633f), hex(0x2c7a52), hex(0x629a66), hex(0xa9b873), hex(0xe3c04c), hex(0xffcf3a)}};
}

Result<Theme> theme_from_name(std::string_view name) {
    if (name == "light") return light_theme();
    if (name == "dark") return dark_theme();
    return fail(fmt::format("there is no theme '{}'", name), "use light or dark");
}

Color scale_color(const Theme& theme, double value) {
    const auto last = static_cast<double>(theme.scale.size() - 1);
    const double at = std::clamp(std::isnan(value) ? 0.5 : value, 0.0, 1.0) * last;
    const auto below = std::min(static_cast<std::size_t>(at), theme.scale.size() - 2);
    const double part = at - static_cast<double>(below);
    const Color &a = theme.scale[below], &b = theme.scale[below + 1];
    return {a.r + part * (b.r - a.r), a.g + part * (b.g - a.g), a.b + part * (b.b - a.b), 1};
}

}  // namespace solis::atlas
