// Checks and preparation of points.
#include "solis/atlas/points.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace solis::atlas {
namespace {

double squared_length(std::span<const float> row) {
    double sum = 0;
    for (const float value : row) sum += static_cast<double>(value) * static_cast<double>(value);
    return sum;
}

}  // namespace

std::string_view name_of(Metric metric) {
    return metric == Metric::Cosine ? "cosine" : "euclidean";
}

Result<Metric> metric_from_name(std::string_view name) {
    if (name == "cosine") return Metric::Cosine;
    if (name == "euclidean") return Metric::Euclidean;
    return fail(fmt::format("there is no metric '{}'", name), "use cosine or euclidean");
}

Result<void> check_points(PointsView points, Metric metric) {
    if (points.rows() == 0) return fail("there are no points");
    if (points.values.size() != points.rows() * points.dims) {
        return fail(fmt::format("{} values are no whole rows of {} dimensions",
                                points.values.size(), points.dims));
    }
    if (points.rows() > kMaxPoints || points.dims > kMaxDims) {
        return fail(
            fmt::format("{} points of {} dimensions are too many", points.rows(), points.dims));
    }
    for (std::size_t i = 0; i < points.rows(); ++i) {
        const std::span<const float> row = points.row(i);
        if (!std::ranges::all_of(row, [](float value) { return std::isfinite(value); })) {
            return fail(fmt::format("point {} has a value that is not a finite number", i),
                        "remove the row, or find out what made it");
        }
        if (metric == Metric::Cosine && !(squared_length(row) > 1e-30)) {
            return fail(fmt::format("point {} has length 0 and so no cosine to others", i),
                        "remove the row, or use the euclidean metric");
        }
    }
    return {};
}

std::vector<float> prepared_rows(PointsView points, Metric metric) {
    std::vector<float> rows(points.values.begin(), points.values.end());
    if (metric == Metric::Euclidean) return rows;
    for (std::size_t i = 0; i < points.rows(); ++i) {
        const double scale = 1 / std::sqrt(squared_length(points.row(i)));
        for (float& value : std::span(rows).subspan(i * points.dims, points.dims)) {
            value = static_cast<float>(static_cast<double>(value) * scale);
        }
    }
    return rows;
}

float distance_of(float squared, Metric metric) {
    return metric == Metric::Cosine ? squared / 2 : std::sqrt(squared);
}

tl::unexpected<Error> interruption() { return fail("interrupted"); }

bool is_interruption(const Error& error) { return error.message == "interrupted"; }

Result<void> report_to(const Watch& watch, std::string_view stage, double share) {
    if (watch && !watch(stage, share)) return interruption();
    return {};
}

}  // namespace solis::atlas
