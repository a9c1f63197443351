// Optimisers; every element is independent, so slices of any size give the same result.
#include "nn/optimizer.h"

#include <algorithm>
#include <cmath>

#include "nn/optimizer_kernels.h"

namespace solis::nn {
namespace {

constexpr std::size_t kSlice = std::size_t{1} << 15;

// One slice of one parameter tensor.
struct Slice {
    std::size_t tensor, begin, size;
};

std::vector<Slice> slices(std::span<Tensor* const> tensors) {
    std::vector<Slice> all;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        const std::size_t total = tensors[t]->values.size();
        for (std::size_t at = 0; at < total; at += kSlice) {
            all.push_back({t, at, std::min(kSlice, total - at)});
        }
    }
    return all;
}

}  // namespace

Optimizer::Optimizer(OptimizerConfig config, std::span<Tensor* const> parameters)
    : config_(config) {
    for (const Tensor* parameter : parameters) {
        moments_.emplace_back(parameter->name + ".momentum", parameter->shape);
        if (config_.kind == OptimizerKind::AdamW) {
            moments_.emplace_back(parameter->name + ".variance", parameter->shape);
        }
    }
}

void Optimizer::step(std::span<Tensor* const> parameters, std::span<Tensor* const> gradients,
                     float learning_rate, float gradient_scale, ThreadPool& pool) {
    ++steps_;
    const std::vector<Slice> work = slices(parameters);
    // Adam's bias corrections, folded into the rate and epsilon once per step.
    const double t = static_cast<double>(steps_);
    const double correction1 = 1 - std::pow(static_cast<double>(config_.beta1), t);
    const double correction2 = 1 - std::pow(static_cast<double>(config_.beta2), t);
    AdamStep adam{};
    adam.beta1 = config_.beta1;
    adam.beta2 = config_.beta2;
    adam.rate = static_cast<float>(static_cast<double>(learning_rate) / correction1);
    adam.variance_scale = static_cast<float>(1 / correction2);
    adam.epsilon = config_.epsilon;
    adam.keep = 1 - learning_rate * config_.weight_decay;
    adam.gradient_scale = gradient_scale;
    const SgdStep sgd{learning_rate, config_.momentum, config_.weight_decay, gradient_scale};
    pool.run(work.size(), [&](std::size_t task) {
        const Slice& s = work[task];
        const std::span<float> x = std::span(parameters[s.tensor]->values).subspan(s.begin, s.size);
        const float* const g = gradients[s.tensor]->values.data() + s.begin;
        if (config_.kind == OptimizerKind::AdamW) {
            float* const m = moments_[2 * s.tensor].values.data() + s.begin;
            float* const v = moments_[2 * s.tensor + 1].values.data() + s.begin;
            adam_step(adam, x, g, m, v);
        } else {
            sgd_step(sgd, x, g, moments_[s.tensor].values.data() + s.begin);
        }
    });
}

double global_norm(std::span<Tensor* const> tensors) {
    double sum = 0;
    for (const Tensor* tensor : tensors) {
        for (const float value : tensor->values) sum += static_cast<double>(value * value);
    }
    return std::sqrt(sum);
}

}  // namespace solis::nn
