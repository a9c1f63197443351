// Line charts as self-contained SVG.
#include "solis/base/chart_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "solis/base/text.h"

namespace solis {
namespace {

constexpr double kWidth = 900, kPanelHeight = 260, kLeft = 60, kRight = 20, kTop = 60, kGap = 60,
                 kBottom = 40, kLetter = 7;

struct Range {
    double low = 1e300, high = -1e300;

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // One value, or several that are the same but for rounding.
    [[nodiscard]] bool is_point() const { return low <= high && high - low <= 1e-9 * size(); }
    // Something to divide by, also for no points and for one value, which stands in the middle.
    [[nodiscard]] Range widened() const {
        if (low > high) return {0, 1};
        if (!is_point()) return *this;
        const double room = size() > 0 ? 0.1 * size() : 0.5;
        return {low - room, high + room};
    }

  private:
    [[nodiscard]] double size() const { return std::max(std::abs(low), std::abs(high)); }
};

// Numbers that a reader expects along an axis: multiples of 1, 2 or 5 times a power of ten.
struct Ticks {
    double step = 1;
    double first = 0, last = 0;  // in steps: whole numbers, of any size

    [[nodiscard]] double at(double i) const { return step * i; }
};

// At most six steps that lie around `range`, or inside it.
Ticks round_ticks(const Range& range, bool around) {
    const double wanted = (range.high - range.low) / 5;
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
        if (factor * power >= wanted) step = factor * power;
    }
    constexpr double kRounding = 1e-9;  // 0.3 / 0.1 is a little less than 3
    const double low = range.low / step, high = range.high / step;
    if (around) {
        return {step, std::floor(low + kRounding), std::ceil(high - kRounding)};
    }
    return {step, std::ceil(low - kRounding), std::floor(high + kRounding)};
}

// Draws one panel whose upper edge is at `top`.
class PanelWriter {
  public:
    PanelWriter(const ChartPanel& panel, double top) : panel_(panel), top_(top) {
        for (const ChartSeries& series : panel.series) {
            for (const ChartPoint& point : series.points) {
                xs_.include(point.x);
                ys_.include(point.y);
                if (!series.banded) continue;
                ys_.include(point.low);
                ys_.include(point.high);
            }
        }
        if (xs_.is_point()) only_x_ = xs_.low;
        xs_ = xs_.widened();
        y_ticks_ = round_ticks(ys_.widened(), true);
        ys_ = {y_ticks_.at(y_ticks_.first), y_ticks_.at(y_ticks_.last)};
    }

    [[nodiscard]] std::string text() const {
        std::string out = fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>\n",
                                      kLeft, top_ - 10, escape_xml(panel_.caption));
        out += grid();
        double legend = kWidth - kRight;
        for (const ChartSeries& series : panel_.series) {
            out += line(series);
            out +=
                fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\" text-anchor=\"end\">{}</text>\n",
                            legend, top_ - 10, series.color, escape_xml(series.name));
            legend -= 20 + kLetter * static_cast<double>(series.name.size());
        }
        return out;
    }

  private:
    [[nodiscard]] double px(double x) const {
        return kLeft + (kWidth - kLeft - kRight) * (x - xs_.low) / (xs_.high - xs_.low);
    }
    [[nodiscard]] double py(double y) const {
        return top_ + kPanelHeight * (1 - (y - ys_.low) / (ys_.high - ys_.low));
    }

    // Lines across, and values along both axes.
    [[nodiscard]] std::string grid() const {
        std::string out;
        for (double i = y_ticks_.first; i <= y_ticks_.last; ++i) {
            const double y = y_ticks_.at(i);
            out += fmt::format(
                "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>"
                "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.6g}</text>\n",
                kLeft, kWidth - kRight, py(y), kLeft - 6, py(y) + 4, y);
        }
        for (const double x : x_values()) {
            out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.6g}</text>\n",
                               px(x), top_ + kPanelHeight + 18, x);
        }
        return out;
    }

    [[nodiscard]] std::vector<double> x_values() const {
        if (!panel_.x_ticks.empty()) return panel_.x_ticks;
        // Values beside a single one would suggest a scale that nothing was measured on.
        if (only_x_) return {*only_x_};
        const Ticks ticks = round_ticks(xs_, false);
        std::vector<double> values;
        for (double i = ticks.first; i <= ticks.last; ++i) values.push_back(ticks.at(i));
        return values;
    }

    [[nodiscard]] std::string line(const ChartSeries& series) const {
        std::string out;
        if (series.banded) out += band(series);
        out += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{} points=\"",
                           series.color, series.dashed ? " stroke-dasharray=\"6 4\"" : "");
        for (const ChartPoint& point : series.points) {
            out += fmt::format("{:.1f},{:.1f} ", px(point.x), py(point.y));
        }
        out += "\"/>\n";
        // A line through one point cannot be seen.
        if (!series.dotted_points && series.points.size() != 1) return out;
        for (const ChartPoint& point : series.points) {
            // Hollow where the line is dashed, so that two single points can be told apart.
            out += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" stroke=\"{}\"/>\n",
                px(point.x), py(point.y), series.dashed ? "white" : series.color, series.color);
        }
        return out;
    }

    [[nodiscard]] std::string band(const ChartSeries& series) const {
        if (series.points.size() == 1) return error_bar(series.points.front(), series.color);
        std::string out =
            fmt::format("<polygon fill=\"{}\" fill-opacity=\"0.15\" points=\"", series.color);
        for (const ChartPoint& point : series.points) {
            out += fmt::format("{:.1f},{:.1f} ", px(point.x), py(point.low));
        }
        for (auto point = series.points.rbegin(); point != series.points.rend(); ++point) {
            out += fmt::format("{:.1f},{:.1f} ", px(point->x), py(point->high));
        }
        return out + "\"/>\n";
    }

    // The band of a single point.
    [[nodiscard]] std::string error_bar(const ChartPoint& point, const std::string& color) const {
        return fmt::format(
            "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
            "stroke-width=\"8\" stroke-opacity=\"0.3\"/>\n",
            px(point.x), py(point.low), py(point.high), color);
    }

    const ChartPanel& panel_;
    double top_;
    std::optional<double> only_x_;  // where all points stand above one another
    Range xs_, ys_;
    Ticks y_ticks_;
};

}  // namespace

std::string chart_color(std::size_t i) {
    // Okabe and Ito: colour-blind people can tell them apart.
    constexpr std::array<const char*, 6> kColors{"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9"};
    return kColors[i % kColors.size()];
}

std::string chart_svg(const std::string& title, const std::vector<ChartPanel>& panels) {
    const auto count = static_cast<double>(panels.size());
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"20\" font-size=\"15\">{3}</text>\n",
        kWidth, kTop + count * kPanelHeight + (count - 1) * kGap + kBottom, kLeft,
        escape_xml(title));
    double top = kTop;
    for (const ChartPanel& panel : panels) {
        out += PanelWriter(panel, top).text();
        top += kPanelHeight + kGap;
    }
    return out + "</svg>\n";
}

}  // namespace solis
