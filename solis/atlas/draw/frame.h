// From places on a map to pixels.
#pragma once
#include <cmath>
#include <span>

#include "solis/atlas/draw/canvas.h"
#include "solis/atlas/points.h"

namespace solis::atlas {

struct Bounds {
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
};
[[nodiscard]] Bounds bounds_of(std::span<const Place> places);

// Fits all places into a box without distorting them; y points upwards on the map.
class Frame {
  public:
    Frame(std::span<const Place> places, const Box& box);
    [[nodiscard]] Pixel operator()(Place place) const {
        return {center_.x + (static_cast<double>(place.x) - middle_x_) * scale_,
                center_.y - (static_cast<double>(place.y) - middle_y_) * scale_};
    }
    [[nodiscard]] const Box& box() const { return box_; }

  private:
    Box box_;
    Pixel center_;
    double middle_x_ = 0, middle_y_ = 0, scale_ = 1;
};

}  // namespace solis::atlas
