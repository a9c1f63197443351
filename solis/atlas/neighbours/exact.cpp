// Exact neighbours: products of blocks of rows, scanned for what is near enough.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "solis/atlas/neighbours/best_list.h"
#include "solis/atlas/neighbours/neighbours.h"
#include "solis/nn/kernels/gemm.h"
#include "solis/nn/kernels/neighbour_kernels.h"

namespace solis::atlas {
namespace {

// Points compared with each other at once, and rows of such a product that are made before they are
// scanned: 96 x 1024 floats stay in the cache.
constexpr std::size_t kBlock = 1024;
constexpr std::size_t kStrip = 96;
// Products of floats are rounded, so a few more candidates are kept and measured again in the end.
constexpr std::size_t kSpare = 4;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// All pairs of points. closeness(x, y) = <x, y> - |x|^2 / 2 - |y|^2 / 2, which is minus half their
// squared distance, comes out of one product of rows that carry two more columns: (x, -|x|^2 / 2,
// 1) on the left and (y, 1, -|y|^2 / 2) on the right.
class AllPairs {
  public:
    AllPairs(std::vector<float> rows, std::size_t dims, std::size_t kept)
        : rows_(std::move(rows)),
          dims_(dims),
          count_(rows_.size() / dims),
          kept_(kept),
          lists_(count_ * kept),
          floors_(blocks() * kBlock, kNothing) {}

    [[nodiscard]] std::size_t blocks() const { return (count_ + kBlock - 1) / kBlock; }
    [[nodiscard]] const std::vector<float>& rows() const { return rows_; }
    [[nodiscard]] std::span<Candidate> list(std::size_t i) {
        return std::span(lists_).subspan(i * kept_, kept_);
    }

    void prepare(ThreadPool& pool) {
        center();
        left_.resize(count_ * (dims_ + 2));
        packed_.resize(blocks());
        pool.run(blocks(), [&](std::size_t block) { prepare_block(block); });
    }

    // Compares the points of two blocks, or of one block among themselves. No other thread may work
    // on either block.
    void compare(std::size_t a, std::size_t b) {
        thread_local std::vector<float> strip;
        thread_local std::vector<std::uint32_t> starts;
        strip.resize(kStrip * kBlock);
        starts.resize(kBlock / nn::kScanGroup);
        const std::size_t cols = block_size(b), width = dims_ + 2;
        const std::size_t padded = (cols + nn::kScanGroup - 1) / nn::kScanGroup * nn::kScanGroup;
        for (std::size_t first = a * kBlock; first < a * kBlock + block_size(a); first += kStrip) {
            const std::size_t rows = std::min(kStrip, a * kBlock + block_size(a) - first);
            nn::gemm(rows, {left_.data() + first * width, width}, packed_[b], strip.data(), kBlock,
                     nn::Into::Overwrite);
            for (std::size_t r = 0; r < rows; ++r) {
                float* const line = strip.data() + r * kBlock;
                // Finite: what is missing minus a floor of minus infinity is no NaN.
                std::fill(line + cols, line + padded, std::numeric_limits<float>::lowest());
                scan(first + r, b * kBlock, line, padded, a == b, starts.data());
            }
        }
    }

  private:
    [[nodiscard]] std::size_t block_size(std::size_t block) const {
        return std::min(kBlock, count_ - block * kBlock);
    }

    // Distances do not change, but numbers near 0 are rounded less.
    void center() {
        std::vector<double> mean(dims_);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            mean[i % dims_] += static_cast<double>(rows_[i]);
        }
        for (double& value : mean) value /= static_cast<double>(count_);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            rows_[i] = static_cast<float>(static_cast<double>(rows_[i]) - mean[i % dims_]);
        }
    }

    void prepare_block(std::size_t block) {
        const std::size_t width = dims_ + 2, size = block_size(block), first = block * kBlock;
        std::vector<float> right(size * width);
        for (std::size_t r = 0; r < size; ++r) {
            const float* const row = rows_.data() + (first + r) * dims_;
            double squares = 0;
            for (std::size_t d = 0; d < dims_; ++d) {
                squares += static_cast<double>(row[d]) * static_cast<double>(row[d]);
            }
            const auto half = static_cast<float>(-squares / 2);
            float* const left = left_.data() + (first + r) * width;
            std::copy_n(row, dims_, left);
            std::copy_n(row, dims_, right.data() + r * width);
            left[dims_] = half, left[dims_ + 1] = 1;
            right[r * width + dims_] = 1, right[r * width + dims_ + 1] = half;
        }
        packed_[block].pack(width, size, {right.data(), width, true});
    }

    // Offers each pair of row i and the points from `first` on to both of them. In a block with
    // itself the whole square is computed and each pair offered to the row only.
    void scan(std::size_t i, std::size_t first, const float* line, std::size_t padded, bool same,
              std::uint32_t* starts) {
        const std::size_t groups = padded / nn::kScanGroup;
        const float* const floors = same ? never() : floors_.data() + first;
        const std::size_t found = nn::find_groups_above(line, floors_[i], floors, groups, starts);
        for (std::size_t g = 0; g < found; ++g) {
            const std::size_t end = std::min(starts[g] + nn::kScanGroup, count_ - first);
            for (std::size_t c = starts[g]; c < end; ++c) {
                const std::size_t j = first + c;
                if (i != j) offer(i, j, line[c]);
                if (!same) offer(j, i, line[c]);
            }
        }
    }

    void offer(std::size_t to, std::size_t candidate, float closeness) {
        if (!(closeness > floors_[to])) return;
        const std::span<Candidate> list = this->list(to);
        insert_candidate(list, {closeness, static_cast<std::uint32_t>(candidate)});
        floors_[to] = list.back().closeness;
    }

    // Floors that nothing is above.
    static const float* never() {
        static const std::vector<float> floors(kBlock, std::numeric_limits<float>::infinity());
        return floors.data();
    }

    std::vector<float> rows_;
    std::size_t dims_, count_, kept_;
    std::vector<float> left_;               // count x (dims + 2)
    std::vector<nn::PackedMatrix> packed_;  // one per block
    std::vector<Candidate> lists_;          // count x kept
    std::vector<float> floors_;             // closeness of the last in each list; whole blocks
};

// Every block meets every other once, in rounds in which no block occurs twice (the circle method
// of tournaments), so that threads need no locks and the order of what a point is offered is fixed.
Result<void> compare_all(AllPairs& pairs, ThreadPool& pool, const Watch& watch) {
    const std::size_t blocks = pairs.blocks();
    pool.run(blocks, [&](std::size_t block) { pairs.compare(block, block); });
    const std::size_t seats = blocks + blocks % 2;  // one stays empty where their number is odd
    for (std::size_t round = 0; round + 1 < seats; ++round) {
        if (auto ok = report_to(watch, "neighbours",
                                static_cast<double>(round) / static_cast<double>(seats - 1));
            !ok) {
            return ok;
        }
        pool.run(seats / 2, [&](std::size_t table) {
            const std::size_t turn = seats - 1;
            const std::size_t a = table == 0 ? turn : (round + table) % turn;
            const std::size_t b = (round + turn - table) % turn;
            if (a < blocks && b < blocks) pairs.compare(std::min(a, b), std::max(a, b));
        });
    }
    return {};
}

// Measures the candidates of a row again, without the rounding of the product.
void write_row(AllPairs& pairs, std::size_t dims, Metric metric, std::size_t i, Neighbours& out) {
    const std::span<const float> rows = pairs.rows();
    const std::span<Candidate> list = pairs.list(i);
    for (Candidate& candidate : list) {
        if (candidate.closeness == kNothing) continue;
        candidate.closeness = -nn::squared_distance(rows.subspan(i * dims, dims),
                                                    rows.subspan(candidate.index * dims, dims));
    }
    std::ranges::sort(list, [](const Candidate& a, const Candidate& b) {
        return a.closeness != b.closeness ? a.closeness > b.closeness : a.index < b.index;
    });
    for (std::size_t n = 0; n < out.count; ++n) {
        out.index[i * out.count + n] = list[n].index;
        out.distance[i * out.count + n] = distance_of(-list[n].closeness, metric);
    }
}

}  // namespace

Result<Neighbours> exact_neighbours(PointsView points, Metric metric, std::size_t count,
                                    ThreadPool& pool, const Watch& watch) {
    const std::size_t rows = points.rows();
    Neighbours found{std::min(count, rows - 1), {}, {}};
    if (found.count == 0) return found;
    AllPairs pairs(prepared_rows(points, metric), points.dims,
                   std::min(found.count + kSpare, rows - 1));
    pairs.prepare(pool);
    if (auto ok = compare_all(pairs, pool, watch); !ok) return tl::unexpected(ok.error());
    found.index.resize(rows * found.count);
    found.distance.resize(rows * found.count);
    pool.run(pairs.blocks(), [&](std::size_t block) {
        const std::size_t end = std::min(rows, (block + 1) * kBlock);
        for (std::size_t i = block * kBlock; i < end; ++i) {
            write_row(pairs, points.dims, metric, i, found);
        }
    });
    return found;
}

}  // namespace solis::atlas
