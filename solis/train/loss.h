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
//
// The work of a contrastive loss grows with the square of the batch. With groups, rows that follow
// one another meet the others of their group and the landmarks only, and the loss is the mean over
// the groups.
class Loss {
  public:
    explicit Loss(const TrainConfig& config);

    // Mean loss of a batch of unit vectors (rows x dims) with their labels; overwrites d_z, or
    // at least the own rows of a share. Groups are cheap, so every process looks at all of them.
    [[nodiscard]] double operator()(std::span<const float> z, std::span<const float> labels,
                                    std::size_t dims, ThreadPool& pool, std::span<float> d_z,
                                    const nn::RowShare* share = nullptr);

  private:
    [[nodiscard]] double contrast(std::span<const float> z, std::span<const float> labels,
                                  std::size_t dims, ThreadPool& pool, std::span<float> d_z,
                                  const nn::RowShare* share);
    [[nodiscard]] double add_regression(std::span<const float> z, std::span<const float> labels,
                                        std::size_t dims, std::span<float> d_z) const;
    // What one group needs beside its rows: the rows and the landmarks together.
    struct Joined {
        nn::ContrastiveLoss contrastive;
        std::vector<float> z, labels, d_z;
    };
    [[nodiscard]] double of_group(Joined& joined, std::span<const float> z,
                                  std::span<const float> labels, std::size_t dims, ThreadPool& pool,
                                  std::span<float> d_z, const nn::RowShare* share) const;
    [[nodiscard]] double of_groups(std::span<const float> z, std::span<const float> labels,
                                   std::size_t dims, ThreadPool& pool, std::span<float> d_z);
    void add_landmarks(std::size_t dims, Joined& joined) const;
    [[nodiscard]] double label_at(double place) const;
    [[nodiscard]] double place_of(double label) const;

    nn::ContrastiveConfig contrastive_;
    bool regression_;
    std::size_t landmarks_;
    double landmark_arc_;     // radians
    double landmark_middle_;  // label there
    std::size_t group_;       // rows; 0: the whole batch
    double regression_weight_;
    std::vector<Joined> joined_;  // one for every thread that works on groups
};

// The control that is no contrastive loss: the first coordinate should be 2p - 1.
[[nodiscard]] double regression_loss(std::span<const float> z, std::span<const float> labels,
                                     std::size_t dims, std::span<float> d_z);

}  // namespace solis::train
