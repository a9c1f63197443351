// The auxiliary loss of a transformer: predictions asked of every row (token) beside the loss of
// the embedding. A contrastive loss says one number about a whole sample; targets of every row say
// what the sample is made of, and are learnt from far fewer samples. The linear map that makes the
// predictions belongs to training: no model keeps it.
#pragma once
#include <array>
#include <memory>

#include "solis/nn/transformer/layer.h"

namespace solis::nn {

// Predictions made for every row: as many as a panel has columns.
inline constexpr std::size_t kAuxiliaryTasks = kPanel;

// How much a task counts in the loss, and of what kind its target is.
struct AuxiliaryTask {
    // True: the target is 0 or 1 and the loss logistic. False: the target is a number and the loss
    // half the squared error.
    bool binary = true;
    float weight = 0;
};
using AuxiliaryTasks = std::array<AuxiliaryTask, kAuxiliaryTasks>;

// The auxiliary loss of some samples on one thread.
class AuxiliaryLossShare {
  public:
    AuxiliaryLossShare(const TransformerShape& shape, std::size_t capacity);

    // Comes before the backward pass: `targets` are [samples][rows][kAuxiliaryTasks], NaN where
    // none is known.
    void start(const PackedLinear& weight, const float* bias, const AuxiliaryTasks& tasks,
               const float* targets);
    // x: the rows of a sample behind the last layer but one.
    void differentiate(std::size_t sample, ConstPanels x);
    // Adds the gradient of that x.
    void add_gradient(std::size_t sample, Panels d) const;

    [[nodiscard]] double loss() const { return loss_; }
    [[nodiscard]] std::span<float> d_weight() {
        return d_weight_;
    }  // panels, kAuxiliaryTasks x dims
    [[nodiscard]] std::span<float> d_bias() { return d_bias_; }

  private:
    std::size_t rows_, dims_;
    const PackedLinear* weight_ = nullptr;
    const float* bias_ = nullptr;
    const float* targets_ = nullptr;
    AuxiliaryTasks tasks_{};
    double loss_ = 0;
    AlignedVector<float> outputs_;  // rows x kAuxiliaryTasks, then their gradient
    AlignedVector<float> d_x_;      // [samples], rows x dims each
    AlignedVector<float> d_weight_, d_bias_;
};

// The auxiliary loss of a network: one linear map from a row to its outputs.
class AuxiliaryLoss {
  public:
    explicit AuxiliaryLoss(const TransformerShape& shape);

    [[nodiscard]] std::vector<Tensor*> parameters() { return {&weight_, &bias_}; }
    [[nodiscard]] std::vector<Tensor*> gradients() { return {&d_weight_, &d_bias_}; }

    // For the samples of the next backward pass. The loss is the sum over all outputs.
    void set_targets(const AuxiliaryTasks& tasks, std::vector<float> targets);
    // A share for each slice of a batch; slice i has samples [i * slice_size, ...).
    void start(std::size_t slices, std::size_t slice_size);
    [[nodiscard]] AuxiliaryLossShare& share(std::size_t slice) { return *shares_[slice]; }
    // Sets the gradients from those of the shares.
    void finish();
    // Of the last backward pass.
    [[nodiscard]] double loss() const { return loss_; }

  private:
    TransformerShape shape_;
    Tensor weight_, bias_, d_weight_, d_bias_;
    PackedLinear packed_;
    AuxiliaryTasks tasks_{};
    std::vector<float> targets_;
    std::size_t slice_size_ = 0;
    std::vector<std::unique_ptr<AuxiliaryLossShare>> shares_;
    double loss_ = 0;
};

}  // namespace solis::nn
