// Optimisers; every element is independent, so slices of any size give the same result.
#include "solis/nn/optimizer.h"

#include <algorithm>
#include <cmath>

#include "solis/nn/optimizer_kernels.h"
#include "solis/nn/orthogonal.h"

namespace solis::nn {
namespace {

constexpr std::size_t kSlice = std::size_t{1} << 15;

// One slice of one parameter tensor.
struct Slice {
    std::size_t tensor, begin, size;
};

template <class Wanted>
std::vector<Slice> slices(std::span<Tensor* const> tensors, Wanted&& wanted) {
    std::vector<Slice> all;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        if (!wanted(t)) continue;
        const std::size_t total = tensors[t]->values.size();
        for (std::size_t at = 0; at < total; at += kSlice) {
            all.push_back({t, at, std::min(kSlice, total - at)});
        }
    }
    return all;
}

// Orthogonal steps of this size have the mean square that AdamW's usually have.
constexpr double kMapStep = 0.2;

// One block of one linear map.
struct Block {
    std::size_t parameter, begin, rows, cols;
};

std::vector<Block> blocks_of(std::span<const LinearMap> maps, std::span<Tensor* const> parameters) {
    std::vector<Block> all;
    for (const LinearMap& map : maps) {
        const std::vector<std::size_t>& shape = parameters[map.parameter]->shape;
        const std::size_t rows = shape[0] / map.blocks, cols = shape[1];
        for (std::size_t b = 0; b < map.blocks; ++b) {
            all.push_back({map.parameter, b * rows * cols, rows, cols});
        }
    }
    return all;
}

}  // namespace

Optimizer::Optimizer(OptimizerConfig config, std::span<Tensor* const> parameters,
                     std::vector<LinearMap> maps)
    : config_(config) {
    if (config_.kind == OptimizerKind::Muon) maps_ = std::move(maps);
    for (std::size_t t = 0; t < parameters.size(); ++t) {
        first_moment_.push_back(moments_.size());
        moments_.emplace_back(parameters[t]->name + ".momentum", parameters[t]->shape);
        if (config_.kind != OptimizerKind::Sgd && !is_map(t)) {
            moments_.emplace_back(parameters[t]->name + ".variance", parameters[t]->shape);
        }
    }
}

bool Optimizer::is_map(std::size_t parameter) const {
    return std::any_of(maps_.begin(), maps_.end(),
                       [&](const LinearMap& map) { return map.parameter == parameter; });
}

void Optimizer::step(std::span<Tensor* const> parameters, std::span<Tensor* const> gradients,
                     float learning_rate, float gradient_scale, ThreadPool& pool) {
    ++steps_;
    const std::vector<Slice> work = slices(parameters, [&](std::size_t t) { return !is_map(t); });
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
        float* const m = moments_[first_moment_[s.tensor]].values.data() + s.begin;
        if (config_.kind == OptimizerKind::Sgd) {
            sgd_step(sgd, x, g, m);
        } else {
            adam_step(adam, x, g, m, moments_[first_moment_[s.tensor] + 1].values.data() + s.begin);
        }
    });
    step_maps(parameters, gradients, learning_rate, gradient_scale, pool);
}

void Optimizer::step_maps(std::span<Tensor* const> parameters, std::span<Tensor* const> gradients,
                          float learning_rate, float gradient_scale, ThreadPool& pool) {
    const std::vector<Block> blocks = blocks_of(maps_, parameters);
    const float keep = 1 - learning_rate * config_.weight_decay;
    pool.run(blocks.size(), [&](std::size_t task) {
        const Block& block = blocks[task];
        const std::size_t count = block.rows * block.cols;
        float* const x = parameters[block.parameter]->values.data() + block.begin;
        float* const m = moments_[first_moment_[block.parameter]].values.data() + block.begin;
        const float* const g = gradients[block.parameter]->values.data() + block.begin;
        thread_local std::vector<float> update;
        thread_local OrthogonalScratch scratch;
        update.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const float gradient = gradient_scale * g[i];
            m[i] = config_.momentum * m[i] + gradient;
            update[i] = gradient + config_.momentum * m[i];  // a step ahead, as Nesterov has it
        }
        if (config_.bf16) {
            orthogonalize_bf16(update, block.rows, block.cols, scratch);
        } else {
            orthogonalize(update, block.rows, block.cols, scratch);
        }
        const double size =
            kMapStep * std::sqrt(static_cast<double>(std::max(block.rows, block.cols)));
        const float rate = learning_rate * static_cast<float>(size);
        for (std::size_t i = 0; i < count; ++i) x[i] = keep * x[i] - rate * update[i];
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
