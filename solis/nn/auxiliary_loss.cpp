// The auxiliary loss: outputs of every row, their loss and its gradients.
#include "solis/nn/auxiliary_loss.h"

#include <algorithm>
#include <cmath>

#include "solis/nn/counts.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::nn {
namespace {

struct LossTerm {
    double loss;
    float gradient;
};

LossTerm loss_term(const AuxiliaryTask& task, float output, float target) {
    if (std::isnan(target) || task.weight == 0) return {0, 0};
    if (!task.binary) {
        const float error = output - target;
        return {0.5 * static_cast<double>(task.weight * error * error), task.weight * error};
    }
    // log(1 + e^output) - target * output, without overflow.
    const float small = std::exp(-std::abs(output));
    const float yes = output >= 0 ? 1 / (1 + small) : small / (1 + small);
    const float loss = std::max(output, 0.0f) + std::log1p(small) - target * output;
    return {static_cast<double>(task.weight * loss), task.weight * (yes - target)};
}

}  // namespace

AuxiliaryLossShare::AuxiliaryLossShare(const TransformerShape& shape, std::size_t capacity)
    : rows_(shape.rows()),
      dims_(size(shape.dims)),
      outputs_(rows_ * kAuxiliaryTasks),
      d_x_(capacity * rows_ * dims_),
      d_weight_(kAuxiliaryTasks * dims_),
      d_bias_(kAuxiliaryTasks) {}

void AuxiliaryLossShare::start(const PackedLinear& weight, const float* bias,
                               const AuxiliaryTasks& tasks, const float* targets) {
    weight_ = &weight;
    bias_ = bias;
    tasks_ = tasks;
    targets_ = targets;
    loss_ = 0;
    std::fill(d_weight_.begin(), d_weight_.end(), 0.0f);
    std::fill(d_bias_.begin(), d_bias_.end(), 0.0f);
}

void AuxiliaryLossShare::differentiate(std::size_t sample, ConstPanels x) {
    const Panels outputs{outputs_.data(), rows_, kAuxiliaryTasks};
    multiply(x, weight_->forward(), bias_, outputs, Into::Overwrite);
    // One panel is row-major, as the targets are.
    const float* const targets = targets_ + sample * outputs_.size();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        const LossTerm term = loss_term(tasks_[i % kAuxiliaryTasks], outputs_[i], targets[i]);
        loss_ += term.loss;
        outputs_[i] = term.gradient;
    }
    add_linear_gradients(outputs, x, d_weight_.data(), d_bias_.data());
    multiply(outputs, weight_->backward(), nullptr,
             {d_x_.data() + sample * rows_ * dims_, rows_, dims_}, Into::Overwrite);
}

void AuxiliaryLossShare::add_gradient(std::size_t sample, Panels d) const {
    add_scaled(1, std::span(d_x_).subspan(sample * rows_ * dims_, rows_ * dims_), d.data);
}

AuxiliaryLoss::AuxiliaryLoss(const TransformerShape& shape)
    : shape_(shape),
      weight_("auxiliary.weight", {kAuxiliaryTasks, size(shape.dims)}),
      bias_("auxiliary.bias", {kAuxiliaryTasks}),
      d_weight_(weight_),
      d_bias_(bias_) {}

void AuxiliaryLoss::set_targets(const AuxiliaryTasks& tasks, std::vector<float> targets) {
    tasks_ = tasks;
    targets_ = std::move(targets);
}

void AuxiliaryLoss::start(std::size_t slices, std::size_t slice_size) {
    if (slices != shares_.size() || slice_size != slice_size_) {
        slice_size_ = slice_size;
        shares_.clear();
        for (std::size_t i = 0; i < slices; ++i) {
            shares_.push_back(std::make_unique<AuxiliaryLossShare>(shape_, slice_size));
        }
    }
    packed_.pack(weight_, true);
    const std::size_t per_slice = slice_size * shape_.rows() * kAuxiliaryTasks;
    for (std::size_t i = 0; i < slices; ++i) {
        shares_[i]->start(packed_, bias_.values.data(), tasks_, targets_.data() + i * per_slice);
    }
}

void AuxiliaryLoss::finish() {
    loss_ = 0;
    std::fill(d_bias_.values.begin(), d_bias_.values.end(), 0.0f);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        loss_ += shares_[i]->loss();
        if (i > 0) add_scaled(1, shares_[i]->d_weight(), shares_[0]->d_weight().data());
        add_scaled(1, shares_[i]->d_bias(), d_bias_.values.data());
    }
    const std::size_t dims = size(shape_.dims);
    from_panels({shares_[0]->d_weight().data(), kAuxiliaryTasks, dims}, d_weight_.values.data(),
                dims);
}

}  // namespace solis::nn
