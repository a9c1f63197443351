// The losses a run can choose from, behind one call.
#pragma once
#include <span>
#include <vector>

#include "solis/base/thread_pool.h"
#include "solis/nn/contrastive.h"
#include "solis/train/config.h"

namespace solis::train {

// Contrastive losses only ask that different labels lie apart. In a long run the curve from lost
// to won positions then bends back at its ends, and the axis, a chord, no longer orders what lies
// there. Landmarks prevent it: fixed points on an arc, each with a label, that join every batch
// and attract and repel like any other sample.
class Loss {
  public:
    explicit Loss(const TrainConfig& config);

    // Mean loss of a batch of unit vectors (rows x dims) with their labels; overwrites d_z, or
    // at least the own rows of a share.
    [[nodiscard]] double operator()(std::span<const float> z, std::span<const float> labels,
                                    std::size_t dims, ThreadPool& pool, std::span<float> d_z,
                                    const nn::RowShare* share = nullptr);

  private:
    void add_landmarks(std::size_t dims);
    [[nodiscard]] double label_at(double place) const;

    nn::ContrastiveLoss contrastive_;
    bool regression_;
    std::size_t landmarks_;
    double landmark_arc_;                              // radians
    double landmark_middle_;                           // label there
    std::vector<float> all_z_, all_labels_, all_d_z_;  // the batch, then the landmarks
};

// The control that is no contrastive loss: the first coordinate should be 2p - 1.
[[nodiscard]] double regression_loss(std::span<const float> z, std::span<const float> labels,
                                     std::size_t dims, std::span<float> d_z);

}  // namespace solis::train
