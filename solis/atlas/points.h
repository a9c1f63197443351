// The points an atlas works on: rows of a matrix, mostly embeddings, and the plane they are put
// into.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "solis/base/result.h"

namespace solis::atlas {

// rows x dims floats, row-major, owned by somebody else.
struct PointsView {
    std::span<const float> values;
    std::size_t dims = 0;

    [[nodiscard]] std::size_t rows() const { return dims == 0 ? 0 : values.size() / dims; }
    [[nodiscard]] std::span<const float> row(std::size_t i) const {
        return values.subspan(i * dims, dims);
    }
};

// A place on a map.
struct Place {
    float x = 0;
    float y = 0;

    friend bool operator==(const Place&, const Place&) = default;
};

enum class Metric { Cosine, Euclidean };
[[nodiscard]] std::string_view name_of(Metric metric);
[[nodiscard]] Result<Metric> metric_from_name(std::string_view name);

// The most points and dimensions that anything here takes.
inline constexpr std::size_t kMaxPoints = std::size_t{1} << 28;
inline constexpr std::size_t kMaxDims = std::size_t{1} << 16;

// Refuses no points, sizes that do not fit, values that are not finite, and for cosine rows of
// length 0, which have no direction. The error names the row.
[[nodiscard]] Result<void> check_points(PointsView points, Metric metric);

// The rows as distances are computed from them: scaled to length 1 for cosine, as they are
// otherwise. Then the squared Euclidean distance orders neighbours for both metrics.
[[nodiscard]] std::vector<float> prepared_rows(PointsView points, Metric metric);
// The distance that a squared Euclidean distance of prepared rows stands for: 1 - cosine, or its
// root.
[[nodiscard]] float distance_of(float squared, Metric metric);

// Called from time to time by long work with the name of the stage and the share of it that is
// done, always from the thread that started the work. The answer false ends the work with an error.
// May be empty.
using Watch = std::function<bool(std::string_view stage, double share)>;
// That error, and how to tell it from others.
[[nodiscard]] tl::unexpected<Error> interruption();
[[nodiscard]] bool is_interruption(const Error& error);
[[nodiscard]] Result<void> report_to(const Watch& watch, std::string_view stage, double share);

}  // namespace solis::atlas
