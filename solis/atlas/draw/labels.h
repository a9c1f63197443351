// Labels that do not cover each other.
#pragma once
#include <optional>
#include <vector>

#include "solis/atlas/draw/canvas.h"

namespace solis::atlas {

class LabelPlacer {
  public:
    explicit LabelPlacer(const Box& within) : within_(within) {}

    // Keeps labels off a part of the picture.
    void block(const Box& box) { taken_.push_back(box); }
    // Where a text at a point can stand without covering anything placed before: beside the point,
    // or further away in any direction. None where there is no room.
    [[nodiscard]] std::optional<Box> place(Pixel point, std::string_view text, double size);

  private:
    [[nodiscard]] bool is_free(const Box& box) const;

    Box within_;
    std::vector<Box> taken_;
};

}  // namespace solis::atlas
