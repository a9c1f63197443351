// AdamW, SGD with momentum and Muon over named tensors.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "solis/base/thread_pool.h"
#include "solis/nn/tensor.h"

namespace solis::nn {

enum class OptimizerKind { AdamW, Sgd, Muon };

struct OptimizerConfig {
    OptimizerKind kind = OptimizerKind::AdamW;
    float beta1 = 0.9f;         // AdamW: memory of the gradient
    float beta2 = 0.999f;       // AdamW: memory of its square
    float epsilon = 1e-8f;      // AdamW
    float momentum = 0.9f;      // SGD, Muon
    bool bf16 = false;          // Muon: directions from products of bfloat16
    float weight_decay = 0.0f;  // per unit of learning rate, decoupled in AdamW, added in SGD
};

// A parameter that maps activations to activations, [out][in]: its first dimension may be several
// maps, one below the other.
struct LinearMap {
    std::size_t parameter;
    std::size_t blocks = 1;
};

// Keeps one or two moments per parameter. Its whole state is in moments() and steps(). Muon moves
// linear maps along their momentum made orthogonal, with steps as large as AdamW's usually are, so
// that one learning rate serves both; it treats other parameters as AdamW does.
class Optimizer {
  public:
    Optimizer(OptimizerConfig config, std::span<Tensor* const> parameters,
              std::vector<LinearMap> maps = {});

    // One step along `gradients`, given in the order of the parameters, times gradient_scale.
    void step(std::span<Tensor* const> parameters, std::span<Tensor* const> gradients,
              float learning_rate, float gradient_scale, ThreadPool& pool);

    [[nodiscard]] std::vector<Tensor>& moments() { return moments_; }
    [[nodiscard]] const std::vector<Tensor>& moments() const { return moments_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    void set_steps(std::uint64_t steps) { steps_ = steps; }

  private:
    [[nodiscard]] bool is_map(std::size_t parameter) const;
    void step_maps(std::span<Tensor* const> parameters, std::span<Tensor* const> gradients,
                   float learning_rate, float gradient_scale, ThreadPool& pool);

    OptimizerConfig config_;
    std::vector<LinearMap> maps_;            // Muon only
    std::vector<Tensor> moments_;            // of each parameter in turn: first, AdamW's second
    std::vector<std::size_t> first_moment_;  // of each parameter, in moments_
    std::uint64_t steps_ = 0;
};

// Square root of the sum of squares over all tensors, summed in a fixed order.
[[nodiscard]] double global_norm(std::span<Tensor* const> tensors);

}  // namespace solis::nn
