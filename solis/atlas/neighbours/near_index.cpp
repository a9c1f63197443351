// Lists by pivots, and a walk along known neighbours.
#include "solis/atlas/neighbours/near_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solis/nn/kernels/neighbour_kernels.h"

namespace solis::atlas {
namespace {

constexpr std::size_t kExactScan = 2000;      // points that are simply all compared
constexpr std::size_t kPivotLists = 8;        // that a search scans
constexpr std::size_t kMostScanned = 20'000;  // points of these lists: duplicates make long lists
constexpr std::size_t kIndexBlock = 1024;

// The best found so far, nearest first.
class HitList {
  public:
    explicit HitList(std::size_t most) : most_(most) {}

    void offer(float squared, std::uint32_t index) {
        const NearIndex::Hit hit{squared, index};
        if (hits_.size() == most_ && !closer(hit, hits_.back())) return;
        const auto at = std::lower_bound(hits_.begin(), hits_.end(), hit, closer);
        if (at != hits_.end() && *at == hit) return;  // known
        hits_.insert(at, hit);
        if (hits_.size() > most_) hits_.pop_back();
    }
    [[nodiscard]] std::vector<NearIndex::Hit>& hits() { return hits_; }

  private:
    static bool closer(const NearIndex::Hit& a, const NearIndex::Hit& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
    }
    std::size_t most_;
    std::vector<NearIndex::Hit> hits_;
};

}  // namespace

NearIndex::NearIndex(PointsView points, Metric metric, std::span<const std::uint32_t> neighbours,
                     std::size_t count, ThreadPool& pool)
    : metric_(metric),
      dims_(points.dims),
      rows_(prepared_rows(points, metric)),
      neighbours_(neighbours.begin(), neighbours.end()),
      neighbour_count_(count) {
    const std::size_t n = points.rows();
    const std::size_t pivots =
        n <= kExactScan ? 1 : static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    for (std::size_t p = 0; p < pivots; ++p) {
        pivots_.push_back(static_cast<std::uint32_t>(p * n / pivots));
    }
    assign(pool);
}

void NearIndex::assign(ThreadPool& pool) {
    const std::size_t n = size();
    std::vector<std::uint32_t> pivot_of(n);
    if (pivots_.size() > 1) {
        pool.run((n + kIndexBlock - 1) / kIndexBlock, [&](std::size_t block) {
            const std::size_t end = std::min(n, (block + 1) * kIndexBlock);
            for (std::size_t i = block * kIndexBlock; i < end; ++i) {
                float best = INFINITY;
                for (std::size_t p = 0; p < pivots_.size(); ++p) {
                    const float squared = nn::squared_distance(row(i), row(pivots_[p]));
                    if (squared < best) best = squared, pivot_of[i] = static_cast<std::uint32_t>(p);
                }
            }
        });
    }
    list_begin_.assign(pivots_.size() + 1, 0);
    for (const std::uint32_t p : pivot_of) ++list_begin_[p + 1];
    std::partial_sum(list_begin_.begin(), list_begin_.end(), list_begin_.begin());
    lists_.resize(n);
    std::vector<std::size_t> next(list_begin_.begin(), list_begin_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) lists_[next[pivot_of[i]]++] = static_cast<std::uint32_t>(i);
}

std::vector<std::uint32_t> NearIndex::nearest_pivots(std::span<const float> point) const {
    HitList best(kPivotLists);
    for (std::size_t p = 0; p < pivots_.size(); ++p) {
        best.offer(nn::squared_distance(point, row(pivots_[p])), static_cast<std::uint32_t>(p));
    }
    std::vector<std::uint32_t> pivots;
    for (const Hit& hit : best.hits()) pivots.push_back(hit.index);
    return pivots;
}

std::vector<NearIndex::Hit> NearIndex::nearest(std::span<const float> point,
                                               std::size_t count) const {
    const std::vector<float> prepared = prepared_rows({point, dims_}, metric_);
    HitList best(std::min(count, size()));
    if (count == 0) return {};
    std::size_t scanned = 0;
    for (const std::uint32_t p : nearest_pivots(prepared)) {
        for (std::size_t at = list_begin_[p]; at < list_begin_[p + 1]; ++at) {
            if (pivots_.size() > 1 && ++scanned > kMostScanned) break;
            best.offer(nn::squared_distance(prepared, row(lists_[at])), lists_[at]);
        }
    }
    // Follows the neighbours of every hit once; a hit that moves others back is looked at next.
    std::vector<std::uint32_t> followed;
    for (std::size_t i = 0; pivots_.size() > 1 && i < best.hits().size();) {
        const std::uint32_t from = best.hits()[i].index;
        if (std::ranges::find(followed, from) != followed.end()) {
            ++i;
            continue;
        }
        followed.push_back(from);
        for (std::size_t n = 0; n < neighbour_count_; ++n) {
            const std::uint32_t to = neighbours_[from * neighbour_count_ + n];
            best.offer(nn::squared_distance(prepared, row(to)), to);
        }
        i = 0;
    }
    for (Hit& hit : best.hits()) hit.distance = distance_of(hit.distance, metric_);
    return std::move(best.hits());
}

}  // namespace solis::atlas
