// The parts of a picture.
#pragma once
#include "solis/atlas/draw/frame.h"
#include "solis/atlas/draw/labels.h"
#include "solis/atlas/draw/picture.h"

namespace solis::atlas {

// `strength` below 1 makes it faint, for what is drawn over it.
void draw_cloud(Canvas& canvas, const Theme& theme, const Frame& frame, const Cloud& cloud,
                double strength);
void draw_arrow(Canvas& canvas, const Theme& theme, const Frame& frame, const MapArrow& arrow,
                LabelPlacer& labels);
void draw_path(Canvas& canvas, const Theme& theme, const Frame& frame, const MapPath& path,
               LabelPlacer& labels);
// The values of a path over its steps.
void draw_curve(Canvas& canvas, const Theme& theme, const Box& box, const MapPath& path,
                const std::string& step_name, bool with_axis_labels);
void draw_color_bar(Canvas& canvas, const Theme& theme, const Box& box, const std::string& low,
                    const std::string& high, const std::string& name);

}  // namespace solis::atlas
