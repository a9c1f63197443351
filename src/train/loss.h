// The losses a run can choose from, behind one call.
#pragma once
#include <memory>
#include <span>

#include "base/thread_pool.h"
#include "nn/contrastive.h"
#include "train/config.h"

namespace solis::train {

class Loss {
  public:
    explicit Loss(const TrainConfig& config);

    // Mean loss of a batch of unit vectors (rows x dims) with labels in [0, 1]; overwrites d_z.
    [[nodiscard]] double operator()(std::span<const float> z, std::span<const float> labels,
                                    std::size_t dims, ThreadPool& pool, std::span<float> d_z);

  private:
    nn::ContrastiveLoss contrastive_;
    bool regression_;
};

// The control that is no contrastive loss: the first coordinate should be 2p - 1.
[[nodiscard]] double regression_loss(std::span<const float> z, std::span<const float> labels,
                                     std::size_t dims, std::span<float> d_z);

}  // namespace solis::train
