// Contrastive losses over a batch of unit vectors with real-valued labels, and their gradients.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/thread_pool.h"

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

// Loss and gradient for z: rows x dims (rows of length 1) and one label each. Keeps its working
// memory between calls. The same result for any number of threads.
class ContrastiveLoss {
  public:
    explicit ContrastiveLoss(ContrastiveConfig config) : config_(config) {}

    // Mean over the anchors that have a positive; d_z is overwritten.
    [[nodiscard]] double operator()(std::span<const float> z, std::span<const float> labels,
                                    std::size_t dims, ThreadPool& pool, std::span<float> d_z);

  private:
    void anchor_rows(std::span<const float> z, std::span<const float> labels, std::size_t dims,
                     std::size_t begin, std::size_t end);
    void supcon_row(std::span<const float> labels, std::size_t anchor);
    void rank_row(std::span<const float> labels, std::size_t anchor);
    void gradient_rows(std::span<const float> z, std::size_t dims, std::size_t anchors,
                       std::size_t begin, std::size_t end, std::span<float> d_z);

    ContrastiveConfig config_;
    std::vector<float> pairs_;          // [rows][rows]: similarities, then their gradients
    std::vector<double> row_loss_;      // [rows]
    std::vector<unsigned char> valid_;  // [rows]: has a positive
};

// The loss alone, by plain loops in double precision: the definition of correct, for tests.
[[nodiscard]] double contrastive_reference(const ContrastiveConfig& config,
                                           std::span<const double> z,
                                           std::span<const double> labels, std::size_t dims);

}  // namespace solis::nn
