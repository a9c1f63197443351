// The inner loops of the optimisers.
#pragma once
#include <span>

namespace solis::nn {

struct AdamStep {
    float beta1, beta2;
    float rate;            // learning rate over the first moment's bias correction
    float variance_scale;  // one over the second moment's bias correction
    float epsilon;
    float keep;  // what decoupled weight decay leaves of a weight
    float gradient_scale;
};

void adam_step(const AdamStep& step, std::span<float> x, const float* gradient, float* momentum,
               float* variance);

struct SgdStep {
    float rate, momentum, weight_decay, gradient_scale;
};

void sgd_step(const SgdStep& step, std::span<float> x, const float* gradient, float* momentum);

}  // namespace solis::nn
