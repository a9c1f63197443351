// Line charts as self-contained SVG.
#pragma once
#include <string>
#include <vector>

namespace solis {

struct ChartPoint {
    double x = 0;
    double y = 0;
    // Band around the line, of a series that has one.
    double low = 0;
    double high = 0;
};

struct ChartSeries {
    std::string name;
    std::string color;  // as in CSS
    std::vector<ChartPoint> points;
    bool banded = false;
    bool dashed = false;
    bool dotted_points = false;  // a circle at each point
};

// One chart, below those before it.
struct ChartPanel {
    std::string caption;
    std::vector<ChartSeries> series;
    // Where to write values under the x axis; empty: at round numbers.
    std::vector<double> x_ticks;
};

// Colours that can be told apart, by number.
[[nodiscard]] std::string chart_color(std::size_t i);

[[nodiscard]] std::string chart_svg(const std::string& title,
                                    const std::vector<ChartPanel>& panels);

}  // namespace solis
