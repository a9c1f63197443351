// Curves below maps, and the colour bar beside them.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "solis/atlas/draw/panel.h"

namespace solis::atlas {
namespace {

// A round distance of at most 7 ticks.
std::size_t tick_distance(std::size_t steps) {
    for (std::size_t base = 1;; base *= 10) {
        for (const std::size_t factor : {1u, 2u, 5u}) {
            if (steps / (base * factor) <= 7) return base * factor;
        }
    }
}

void draw_grid(Canvas& canvas, const Theme& theme, const Box& box, bool with_labels) {
    for (const double value : {0.0, 0.5, 1.0}) {
        const double y = box.bottom() - value * box.height;
        canvas.line(std::array{Pixel{box.x, y}, Pixel{box.right(), y}}, 0.8,
                    theme.faint.with_alpha(0.6), value == 0.5);
        if (!with_labels) continue;
        canvas.text({box.x - 6, y + 4}, fmt::format("{:.0f} %", 100 * value),
                    {10.5, theme.faint, Anchor::End});
    }
}

}  // namespace

void draw_curve(Canvas& canvas, const Theme& theme, const Box& box, const MapPath& path,
                const std::string& step_name, bool with_axis_labels) {
    draw_grid(canvas, theme, box, with_axis_labels);
    if (path.values.empty()) return;
    const std::size_t last = path.values.size() - 1;
    const auto at = [&](std::size_t step) {
        return Pixel{box.x + box.width * static_cast<double>(step) /
                                 static_cast<double>(std::max<std::size_t>(last, 1)),
                     box.bottom() - box.height * path.values[step]};
    };
    std::vector<Pixel> curve;
    for (std::size_t i = 0; i <= last; ++i) curve.push_back(at(i));
    const double middle = box.bottom() - box.height / 2;
    // Each stretch filled towards the middle in the colour of its value.
    for (std::size_t i = 0; i < last; ++i) {
        const std::array<Pixel, 4> piece{curve[i], curve[i + 1], Pixel{curve[i + 1].x, middle},
                                         Pixel{curve[i].x, middle}};
        const double value = (path.values[i] + path.values[i + 1]) / 2;
        canvas.polygon(piece, scale_color(theme, value).with_alpha(0.55));
    }
    canvas.line(curve, 1.8, theme.ink);
    for (const PathMark& mark : path.marks) {
        canvas.circle(curve[mark.step], 4, scale_color(theme, path.values[mark.step]), theme.accent,
                      2);
    }
    const std::size_t distance = tick_distance(last);
    for (std::size_t step = 0; step <= last; step += distance) {
        canvas.text({at(step).x, box.bottom() + 15}, fmt::format("{}", step),
                    {10.5, theme.faint, Anchor::Middle});
    }
    canvas.text({box.right(), box.bottom() + 29}, step_name, {10.5, theme.faint, Anchor::End});
}

void draw_color_bar(Canvas& canvas, const Theme& theme, const Box& box, const std::string& low,
                    const std::string& high, const std::string& name) {
    constexpr int kSteps = 128;
    const double height = box.height / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        // A little taller than the distance, or seams would show.
        canvas.rectangle({box.x, box.bottom() - (i + 1) * height, box.width, height + 0.6},
                         scale_color(theme, (i + 0.5) / kSteps));
    }
    for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const double y = box.bottom() - value * box.height;
        canvas.line(std::array{Pixel{box.right(), y}, Pixel{box.right() + 4, y}}, 1, theme.faint);
        canvas.text({box.right() + 8, y + 4}, fmt::format("{:.0f} %", 100 * value),
                    {11, theme.ink});
    }
    const double middle = box.x + box.width / 2;
    canvas.text({middle, box.y - 10}, high, {11.5, theme.ink, Anchor::Middle, true});
    canvas.text({middle, box.bottom() + 20}, low, {11.5, theme.ink, Anchor::Middle, true});
    canvas.text({middle, box.bottom() + 36}, name, {10.5, theme.faint, Anchor::Middle});
}

}  // namespace solis::atlas
