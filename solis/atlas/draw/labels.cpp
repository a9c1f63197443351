// Tries places around a point, nearest first.
#include "solis/atlas/draw/labels.h"

#include <algorithm>
#include <cmath>

namespace solis::atlas {

bool LabelPlacer::is_free(const Box& box) const {
    if (box.x < within_.x || box.right() > within_.right()) return false;
    if (box.y < within_.y || box.bottom() > within_.bottom()) return false;
    return std::ranges::none_of(taken_, [&](const Box& other) {
        return box.x < other.right() && other.x < box.right() && box.y < other.bottom() &&
               other.y < box.bottom();
    });
}

std::optional<Box> LabelPlacer::place(Pixel point, std::string_view text, double size) {
    constexpr int kDirections = 12;
    constexpr double kTurn = 6.283185307179586 / kDirections;
    const double width = text_width(text, size) + 6, height = 1.3 * size;
    for (const double distance : {10.0, 20.0, 34.0, 52.0, 76.0, 104.0}) {
        for (int i = 0; i < kDirections; ++i) {
            // To the upper right first, then to both sides by turns.
            const double angle = -kTurn + kTurn * (i % 2 == 0 ? i / 2 : -(i + 1) / 2);
            const double dx = std::cos(angle), dy = std::sin(angle);
            const Box box{point.x + dx * (distance + width / 2) - width / 2,
                          point.y + dy * (distance + height / 2) - height / 2, width, height};
            if (!is_free(box)) continue;
            taken_.push_back(box);
            return box;
        }
    }
    return std::nullopt;
}

}  // namespace solis::atlas
