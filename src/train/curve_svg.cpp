// The picture of a run, as SVG.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "train/metrics_log.h"

namespace solis::train {
namespace {

constexpr double kWidth = 900, kPanelHeight = 260, kLeft = 60, kRight = 20, kTop = 40, kGap = 60;

struct Series {
    std::string name, color;
    std::vector<std::pair<double, double>> points;
};

struct Range {
    double low, high;
};

Range range_of(const std::vector<Series>& series, bool of_x) {
    Range range{1e300, -1e300};
    for (const Series& one : series) {
        for (const auto& [x, y] : one.points) {
            range.low = std::min(range.low, of_x ? x : y);
            range.high = std::max(range.high, of_x ? x : y);
        }
    }
    if (range.low > range.high) return {0, 1};
    if (range.low == range.high) return {range.low - 0.5, range.high + 0.5};
    return range;
}

// One panel with its frame, five lines of the grid and a legend.
std::string panel(const std::vector<Series>& series, double top, const std::string& caption) {
    const Range xs = range_of(series, true), ys = range_of(series, false);
    const double width = kWidth - kLeft - kRight;
    const auto px = [&](double x) { return kLeft + width * (x - xs.low) / (xs.high - xs.low); };
    const auto py = [&](double y) {
        return top + kPanelHeight * (1 - (y - ys.low) / (ys.high - ys.low));
    };
    std::string out = fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>\n", kLeft,
                                  top - 10, caption);
    for (int i = 0; i <= 4; ++i) {
        const double y = ys.low + (ys.high - ys.low) * i / 4,
                     x = xs.low + (xs.high - xs.low) * i / 4;
        out += fmt::format(
            "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>"
            "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.4g}</text>"
            "<text x=\"{6:.1f}\" y=\"{7}\" text-anchor=\"middle\">{8:.0f}</text>\n",
            kLeft, kWidth - kRight, py(y), kLeft - 6, py(y) + 4, y, px(x), top + kPanelHeight + 18,
            x);
    }
    double legend = kWidth - kRight;
    for (const Series& one : series) {
        out += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"",
                           one.color);
        for (const auto& [x, y] : one.points) out += fmt::format("{:.1f},{:.1f} ", px(x), py(y));
        out += "\"/>\n";
        out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\" text-anchor=\"end\">{}</text>\n",
                           legend, top - 10, one.color, one.name);
        legend -= 110;
    }
    return out;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') {
            out += "&lt;";
        } else if (c == '&') {
            out += "&amp;";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace

std::string curve_svg(const MetricsLog& log, const std::string& title) {
    Series loss{"loss", "#1f77b4", {}};
    for (const LossPoint& point : log.losses()) {
        loss.points.emplace_back(static_cast<double>(point.step), point.loss);
    }
    std::array<Series, 4> held_out{Series{"Spearman", "#1f77b4", {}},
                                   Series{"top 1", "#d62728", {}}, Series{"top 3", "#ff7f0e", {}},
                                   Series{"top 5", "#2ca02c", {}}};
    for (const ValidationPoint& point : log.validations()) {
        const auto step = static_cast<double>(point.step);
        held_out[0].points.emplace_back(step, point.report.spearman);
        held_out[1].points.emplace_back(step, point.report.top1);
        held_out[2].points.emplace_back(step, point.report.top3);
        held_out[3].points.emplace_back(step, point.report.top5);
    }
    const double second = kTop + 20 + kPanelHeight + kGap;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"20\" font-size=\"15\">{3}</text>\n",
        kWidth, second + kPanelHeight + 40, kLeft, escaped(title));
    out += panel({loss}, kTop + 20, "training loss");
    out += panel({held_out.begin(), held_out.end()}, second, "held out");
    return out + "</svg>\n";
}

}  // namespace solis::train
