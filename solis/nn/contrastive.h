// Contrastive losses over a batch of unit vectors with real-valued labels, and their gradients.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/thread_pool.h"
#include "solis/nn/kernels/gemm.h"

namespace solis::nn {

enum class ContrastiveKind {
    SupCon,  // pairs whose labels differ by less than the margin attract, all others repel
    Soft,    // attraction fades linearly with label distance up to the margin
    RankN    // Rank-N-Contrast: j is closer to i than every k whose label is farther than j's
};

[[nodiscard]] std::string_view name_of(ContrastiveKind kind);

struct ContrastiveConfig {
    ContrastiveKind kind = ContrastiveKind::SupCon;
    float temperature = 0.07f;
    float margin = 0.05f;
};

// For a batch that several processes share: which rows this one looks at, and how they learn each
// other's sums. Rows from `shared` on (landmarks) belong to everybody.
struct RowShare {
    std::size_t begin = 0, end = 0;  // own rows, below `shared`
    std::size_t shared = 0;
    // Gets one part of `values` from each process: `per_row` floats for each of the shared rows.
    std::function<void(std::span<float> values, std::size_t per_row)> exchange;
};

// Loss and gradient for z: rows x dims (rows of length 1) and one label each. Keeps its working
// memory between calls. The same result for any number of threads.
class ContrastiveLoss {
  public:
    explicit ContrastiveLoss(ContrastiveConfig config) : config_(config) {}

    // Mean over the anchors that have a positive; d_z is overwritten. With a share, only the own
    // rows of d_z mean something, and every process gets the same loss. RankN, whose gradients need
    // whole columns, is computed by everybody.
    [[nodiscard]] double operator()(std::span<const float> z, std::span<const float> labels,
                                    std::size_t dims, ThreadPool& pool, std::span<float> d_z,
                                    const RowShare* share = nullptr);

  private:
    // Both fill the rows of the anchors [begin, end) of pairs_, and their loss.
    void supcon_rows(std::span<const float> labels, std::size_t begin, std::size_t end);
    void rank_rows(std::span<const float> labels, std::size_t begin, std::size_t end);
    void rank_row(std::span<const float> labels, std::size_t anchor);
    // Both turn these rows into the gradient of the whole loss by each similarity.
    void supcon_gradients(std::span<const float> labels, std::size_t begin, std::size_t end);
    [[nodiscard]] std::span<const float> rank_gradients(std::size_t begin, std::size_t end);
    void set_forces(std::size_t anchors);
    void exchange_sums(const RowShare& share);
    [[nodiscard]] std::span<float> row_of(std::size_t anchor) {
        return std::span(pairs_).subspan(anchor * stride_, row_loss_.size());
    }

    ContrastiveConfig config_;
    std::size_t stride_ = 0;
    // [rows][stride]: similarities, then their exponentials, then gradients (RankN: at once).
    std::vector<float> pairs_;
    std::vector<double> row_loss_;         // [rows]
    std::vector<unsigned char> valid_;     // [rows]: has a positive
    std::vector<float> push_, pull_;       // [rows]: see PairForces
    std::vector<std::uint32_t> by_label_;  // RankN: rows in order of their label
    PackedMatrix columns_, rows_;          // z as the right-hand side of both products
};

// The loss alone, by plain loops in double precision: the definition of correct, for tests.
[[nodiscard]] double contrastive_reference(const ContrastiveConfig& config,
                                           std::span<const double> z,
                                           std::span<const double> labels, std::size_t dims);

}  // namespace solis::nn
