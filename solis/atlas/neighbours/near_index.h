// Finds the points nearest to a new one among points that do not change.
#pragma once
#include <cstdint>
#include <vector>

#include "solis/atlas/neighbours/neighbours.h"

namespace solis::atlas {

// Points are listed under the nearest of about sqrt(n) pivots. A search scans the lists of the
// nearest pivots and then follows the neighbours of what it found as long as that leads nearer.
// Exact for up to a few thousand points, and finds nearly all neighbours beyond (see
// neighbour_recall).
class NearIndex {
  public:
    // `neighbours` are those of the points among themselves, rows x count; the points have passed
    // check_points. Neither is kept.
    NearIndex(PointsView points, Metric metric, std::span<const std::uint32_t> neighbours,
              std::size_t count, ThreadPool& pool);

    struct Hit {
        float distance = 0;  // in the metric
        std::uint32_t index = 0;
        friend bool operator==(const Hit&, const Hit&) = default;
    };
    // The `count` nearest, nearest first, equal ones in the order of their indices; fewer only
    // where there are fewer points. Safe from several threads. The point has as many finite values
    // as the others, and for cosine a length above 0.
    [[nodiscard]] std::vector<Hit> nearest(std::span<const float> point, std::size_t count) const;

    [[nodiscard]] std::size_t size() const { return rows_.size() / dims_; }

  private:
    [[nodiscard]] std::span<const float> row(std::size_t i) const {
        return std::span(rows_).subspan(i * dims_, dims_);
    }
    void assign(ThreadPool& pool);
    [[nodiscard]] std::vector<std::uint32_t> nearest_pivots(std::span<const float> point) const;

    Metric metric_;
    std::size_t dims_;
    std::vector<float> rows_;                // prepared
    std::vector<std::uint32_t> neighbours_;  // rows x count
    std::size_t neighbour_count_;
    std::vector<std::uint32_t> pivots_;    // points
    std::vector<std::size_t> list_begin_;  // pivots + 1
    std::vector<std::uint32_t> lists_;     // points, by pivot
};

}  // namespace solis::atlas
