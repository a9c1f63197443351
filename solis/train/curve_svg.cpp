// The picture of a run, as SVG.
#include <array>
#include <cmath>

#include "solis/base/chart_svg.h"
#include "solis/train/metrics_log.h"

namespace solis::train {

std::string curve_svg(const MetricsLog& log, const std::string& title) {
    ChartSeries loss{"loss", chart_color(0), {}};
    for (const LossPoint& point : log.losses()) {
        loss.points.push_back({static_cast<double>(point.step), point.loss});
    }
    std::vector<ChartSeries> held_out;
    for (const char* name : {"Spearman", "within 200 cp", "top 1", "top 3", "top 5"}) {
        held_out.push_back({name, chart_color(held_out.size()), {}});
    }
    for (const ValidationPoint& point : log.validations()) {
        const std::array values{point.report.spearman, point.report.within_200, point.report.top1,
                                point.report.top3, point.report.top5};
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i])) continue;  // no such positions in the set
            held_out[i].points.push_back({static_cast<double>(point.step), values[i]});
        }
    }
    return chart_svg(title, {{"training loss", {loss}, {}}, {"held out", held_out, {}}});
}

}  // namespace solis::train
