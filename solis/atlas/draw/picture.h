// Pictures of maps: a cloud of coloured points, an arrow, paths over it and curves below.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solis/atlas/draw/canvas.h"
#include "solis/atlas/points.h"

namespace solis::atlas {

struct Cloud {
    std::vector<Place> places;
    std::vector<float> values;  // in [0, 1], one per place
};

struct MapArrow {
    Place from, to;
    std::string from_label, to_label;
};

// A place of a path that is named.
struct PathMark {
    std::size_t step = 0;  // of MapPath::places
    std::string label;
};

struct MapPath {
    std::vector<Place> places;       // in order
    std::vector<double> values;      // in [0, 1], one per place, for the curve below
    std::vector<PathMark> marks;     // in the order of their importance
    std::size_t numbered_every = 0;  // steps that carry their number; 0 for none
};

// One map, with or without a path and the curve of its values.
struct MapPanel {
    std::string title;
    std::string subtitle;
    std::optional<MapPath> path;
};

struct MapPicture {
    std::string title;
    std::string subtitle;
    Cloud cloud;  // behind every panel
    std::optional<MapArrow> arrow;
    std::string low_label, high_label;  // at the ends of the colour bar
    std::string value_name;             // of what the colours stand for
    std::string step_name;              // under the curve
    std::vector<MapPanel> panels;       // side by side; at least one
    double panel_width = 760;
    double panel_height = 640;
};

[[nodiscard]] Result<std::string> to_svg(const MapPicture& picture, const Theme& theme);
// `scale` pixels of the image per pixel of the drawing.
[[nodiscard]] Result<std::string> to_png(const MapPicture& picture, const Theme& theme,
                                         double scale = 1);

// The height of a panel of that width in which places leave little room, at most `most`.
[[nodiscard]] double fitting_height(std::span<const Place> places, double width, double most);

// Radius in pixels and opacity at which so many points give a cloud in which both single points and
// dense places can be seen, drawn `extent` pixels wide.
struct DotStyle {
    double radius = 1;
    double alpha = 1;
};
[[nodiscard]] DotStyle dot_style(std::size_t count, double extent);

}  // namespace solis::atlas
