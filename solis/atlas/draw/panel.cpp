// Clouds, arrows and paths.
#include "solis/atlas/draw/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "solis/base/rng.h"

namespace solis::atlas {
namespace {

// The same order for the same number of points, and none that follows their values.
std::vector<std::uint32_t> shuffled(std::size_t count) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    Rng rng(Seed{1});
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    return order;
}

void draw_arrow_head(Canvas& canvas, Pixel from, Pixel tip, double size, const Color& color) {
    const double length = std::hypot(tip.x - from.x, tip.y - from.y);
    if (length < 1e-6) return;
    const double dx = (tip.x - from.x) / length, dy = (tip.y - from.y) / length;
    const std::array<Pixel, 3> head{
        tip, Pixel{tip.x - size * dx + 0.42 * size * dy, tip.y - size * dy - 0.42 * size * dx},
        Pixel{tip.x - size * dx - 0.42 * size * dy, tip.y - size * dy + 0.42 * size * dx}};
    canvas.polygon(head, color);
}

// A text near a point, joined to it by a thin line where it stands apart.
void draw_label(Canvas& canvas, const Theme& theme, LabelPlacer& labels, Pixel point,
                std::string_view text, TextStyle style) {
    const auto box = labels.place(point, text, style.size);
    if (!box) return;
    const Pixel middle = box->center();
    if (std::hypot(middle.x - point.x, middle.y - point.y) > box->width / 2 + 22) {
        const Pixel end{std::clamp(point.x, box->x, box->right()),
                        std::clamp(point.y, box->y, box->bottom())};
        canvas.line(std::array{point, end}, 0.8, theme.ink.with_alpha(0.6));
    }
    style.anchor = Anchor::Middle;
    style.halo = true;
    canvas.text({middle.x, box->y + box->height * 0.78}, text, style);
}

}  // namespace

Bounds bounds_of(std::span<const Place> places) {
    Bounds bounds;
    for (const Place& place : places) {
        bounds.left = std::min(bounds.left, static_cast<double>(place.x));
        bounds.right = std::max(bounds.right, static_cast<double>(place.x));
        bounds.low = std::min(bounds.low, static_cast<double>(place.y));
        bounds.high = std::max(bounds.high, static_cast<double>(place.y));
    }
    return bounds;
}

Frame::Frame(std::span<const Place> places, const Box& box) : box_(box), center_(box.center()) {
    if (places.empty()) return;
    const Bounds bounds = bounds_of(places);
    middle_x_ = (bounds.left + bounds.right) / 2;
    middle_y_ = (bounds.low + bounds.high) / 2;
    const double margin = 0.94;  // of the box that is used
    scale_ = margin * std::min(box.width / std::max(bounds.right - bounds.left, 1e-9),
                               box.height / std::max(bounds.high - bounds.low, 1e-9));
}

double fitting_height(std::span<const Place> places, double width, double most) {
    if (places.empty()) return most;
    const Bounds bounds = bounds_of(places);
    const double ratio = (bounds.high - bounds.low) / std::max(bounds.right - bounds.left, 1e-9);
    return std::clamp(width * ratio + 24, std::min(0.5 * width, most), most);
}

DotStyle dot_style(std::size_t count, double extent) {
    const double thousands = std::max(static_cast<double>(count), 50.0) / 1000;
    return {std::clamp(3.1 * std::pow(thousands, -0.3) * extent / 700, 0.45, 5.5),
            std::clamp(0.85 * std::pow(thousands, -0.1), 0.35, 0.9)};
}

void draw_cloud(Canvas& canvas, const Theme& theme, const Frame& frame, const Cloud& cloud,
                double strength) {
    const DotStyle style =
        dot_style(cloud.places.size(), std::min(frame.box().width, frame.box().height));
    std::vector<Dot> dots;
    dots.reserve(cloud.places.size());
    for (const std::uint32_t i : shuffled(cloud.places.size())) {
        const Color color = scale_color(theme, static_cast<double>(cloud.values[i]));
        dots.push_back({frame(cloud.places[i]), color.with_alpha(style.alpha * strength)});
    }
    canvas.dots(dots, style.radius, frame.box());
}

void draw_arrow(Canvas& canvas, const Theme& theme, const Frame& frame, const MapArrow& arrow,
                LabelPlacer& labels) {
    const Pixel from = frame(arrow.from), to = frame(arrow.to);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < 1) return;
    // The shaft ends inside the head, or its round end would stand out of the tip.
    const double part = std::max(0.0, 1 - 8 / length);
    const Pixel end{from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
    canvas.line(std::array{from, end}, 6, theme.background.with_alpha(0.75));
    draw_arrow_head(canvas, from, {to.x, to.y}, 20, theme.background.with_alpha(0.75));
    canvas.line(std::array{from, end}, 2.4, theme.ink);
    draw_arrow_head(canvas, from, to, 15, theme.ink);
    canvas.circle(from, 4, theme.ink, theme.background, 1.5);
    // The arrow is to be seen whole.
    labels.block({to.x - 12, to.y - 12, 24, 24});
    for (double at = 0; at < length; at += 6) {
        const double x = from.x + at / length * (to.x - from.x);
        const double y = from.y + at / length * (to.y - from.y);
        labels.block({x - 4, y - 4, 8, 8});
    }
    const TextStyle style{13, theme.ink, Anchor::Middle, true, true};
    draw_label(canvas, theme, labels, from, arrow.from_label, style);
    draw_label(canvas, theme, labels, to, arrow.to_label, style);
}

void draw_path(Canvas& canvas, const Theme& theme, const Frame& frame, const MapPath& path,
               LabelPlacer& labels) {
    std::vector<Pixel> pixels;
    for (const Place& place : path.places) pixels.push_back(frame(place));
    if (pixels.empty()) return;
    canvas.line(pixels, 3.4, theme.background.with_alpha(0.6));
    // Later steps are stronger: where a game goes to and fro, its end can be told from its start.
    for (std::size_t i = 1; i < pixels.size(); ++i) {
        const Pixel a = pixels[i - 1], b = pixels[i];
        const double late = static_cast<double>(i) / static_cast<double>(pixels.size() - 1);
        const Color color = theme.path.with_alpha(0.3 + 0.65 * late);
        canvas.line(std::array{a, b}, 1.4, color);
        if (std::hypot(b.x - a.x, b.y - a.y) < 22) continue;
        const Pixel tip{a.x + 0.58 * (b.x - a.x), a.y + 0.58 * (b.y - a.y)};
        draw_arrow_head(canvas, a, tip, 7.5, color);
    }
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        canvas.circle(pixels[i], 2.6, scale_color(theme, path.values[i]), theme.path, 1);
    }
    for (const PathMark& mark : path.marks) {
        canvas.circle(pixels[mark.step], 5, scale_color(theme, path.values[mark.step]),
                      theme.accent, 2.2);
        labels.block({pixels[mark.step].x - 5, pixels[mark.step].y - 5, 10, 10});
    }
    const TextStyle ends{12, theme.ink, Anchor::Middle, true, true};
    draw_label(canvas, theme, labels, pixels.front(), "start", ends);
    for (const PathMark& mark : path.marks) {
        draw_label(canvas, theme, labels, pixels[mark.step], mark.label,
                   {12, theme.accent, Anchor::Middle, true, true});
    }
    if (pixels.size() > 1) draw_label(canvas, theme, labels, pixels.back(), "end", ends);
    for (std::size_t i = path.numbered_every; i > 0 && i + 1 < pixels.size();
         i += path.numbered_every) {
        draw_label(canvas, theme, labels, pixels[i], fmt::format("{}", i),
                   {10, theme.path, Anchor::Middle, false, true});
    }
}

}  // namespace solis::atlas
