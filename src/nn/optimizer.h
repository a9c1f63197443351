// AdamW and SGD with momentum over named tensors.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "nn/tensor.h"

namespace solis::nn {

enum class OptimizerKind { AdamW, Sgd };

struct OptimizerConfig {
    OptimizerKind kind = OptimizerKind::AdamW;
    float beta1 = 0.9f;         // AdamW: memory of the gradient
    float beta2 = 0.999f;       // AdamW: memory of its square
    float epsilon = 1e-8f;      // AdamW
    float momentum = 0.9f;      // SGD
    float weight_decay = 0.0f;  // per unit of learning rate, decoupled in AdamW, added in SGD
};

// Keeps one or two moments per parameter. Its whole state is in moments() and steps().
class Optimizer {
  public:
    Optimizer(OptimizerConfig config, std::span<Tensor* const> parameters);

    // One step along `gradients`, given in the order of the parameters, times gradient_scale.
    void step(std::span<Tensor* const> parameters, std::span<Tensor* const> gradients,
              float learning_rate, float gradient_scale, ThreadPool& pool);

    [[nodiscard]] std::vector<Tensor>& moments() { return moments_; }
    [[nodiscard]] const std::vector<Tensor>& moments() const { return moments_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    void set_steps(std::uint64_t steps) { steps_ = steps; }

  private:
    OptimizerConfig config_;
    std::vector<Tensor> moments_;  // AdamW: first, second of each parameter in turn; SGD: first
    std::uint64_t steps_ = 0;
};

// Square root of the sum of squares over all tensors, summed in a fixed order.
[[nodiscard]] double global_norm(std::span<Tensor* const> tensors);

}  // namespace solis::nn
