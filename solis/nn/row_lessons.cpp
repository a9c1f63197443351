// Lessons of rows: replies, their loss and its gradients.
#include "solis/nn/row_lessons.h"

#include <algorithm>
#include <cmath>

#include "solis/nn/counts.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::nn {
namespace {

struct Mistake {
    double loss;
    float gradient;
};

Mistake judge(const Question& question, float reply, float answer) {
    if (std::isnan(answer) || question.weight == 0) return {0, 0};
    if (!question.yes_or_no) {
        const float error = reply - answer;
        return {0.5 * static_cast<double>(question.weight * error * error),
                question.weight * error};
    }
    // log(1 + e^reply) - answer * reply, without overflow.
    const float small = std::exp(-std::abs(reply));
    const float yes = reply >= 0 ? 1 / (1 + small) : small / (1 + small);
    const float loss = std::max(reply, 0.0f) + std::log1p(small) - answer * reply;
    return {static_cast<double>(question.weight * loss), question.weight * (yes - answer)};
}

}  // namespace

LessonShare::LessonShare(const TransformerShape& shape, std::size_t capacity)
    : rows_(shape.rows()),
      dims_(size(shape.dims)),
      replies_(rows_ * kQuestions),
      d_x_(capacity * rows_ * dims_),
      d_weight_(kQuestions * dims_),
      d_bias_(kQuestions) {}

void LessonShare::start(const PackedLinear& weight, const float* bias, const Questions& questions,
                        const float* answers) {
    weight_ = &weight;
    bias_ = bias;
    questions_ = questions;
    answers_ = answers;
    loss_ = 0;
    std::fill(d_weight_.begin(), d_weight_.end(), 0.0f);
    std::fill(d_bias_.begin(), d_bias_.end(), 0.0f);
}

void LessonShare::differentiate(std::size_t sample, ConstPanels x) {
    const Panels replies{replies_.data(), rows_, kQuestions};
    multiply(x, weight_->forward(), bias_, replies, Into::Overwrite);
    // One panel is row-major, as the answers are.
    const float* const answers = answers_ + sample * replies_.size();
    for (std::size_t i = 0; i < replies_.size(); ++i) {
        const Mistake mistake = judge(questions_[i % kQuestions], replies_[i], answers[i]);
        loss_ += mistake.loss;
        replies_[i] = mistake.gradient;
    }
    add_linear_gradients(replies, x, d_weight_.data(), d_bias_.data());
    multiply(replies, weight_->backward(), nullptr,
             {d_x_.data() + sample * rows_ * dims_, rows_, dims_}, Into::Overwrite);
}

void LessonShare::add_gradient(std::size_t sample, Panels d) const {
    add_scaled(1, std::span(d_x_).subspan(sample * rows_ * dims_, rows_ * dims_), d.data);
}

RowLessons::RowLessons(const TransformerShape& shape)
    : shape_(shape),
      weight_("lessons.weight", {kQuestions, size(shape.dims)}),
      bias_("lessons.bias", {kQuestions}),
      d_weight_(weight_),
      d_bias_(bias_) {}

void RowLessons::ask(const Questions& questions, std::vector<float> answers) {
    questions_ = questions;
    answers_ = std::move(answers);
}

void RowLessons::start(std::size_t slices, std::size_t slice_size) {
    if (slices != shares_.size() || slice_size != slice_size_) {
        slice_size_ = slice_size;
        shares_.clear();
        for (std::size_t i = 0; i < slices; ++i) {
            shares_.push_back(std::make_unique<LessonShare>(shape_, slice_size));
        }
    }
    packed_.pack(weight_, true);
    const std::size_t per_slice = slice_size * shape_.rows() * kQuestions;
    for (std::size_t i = 0; i < slices; ++i) {
        shares_[i]->start(packed_, bias_.values.data(), questions_,
                          answers_.data() + i * per_slice);
    }
}

void RowLessons::finish() {
    loss_ = 0;
    std::fill(d_bias_.values.begin(), d_bias_.values.end(), 0.0f);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        loss_ += shares_[i]->loss();
        if (i > 0) add_scaled(1, shares_[i]->d_weight(), shares_[0]->d_weight().data());
        add_scaled(1, shares_[i]->d_bias(), d_bias_.values.data());
    }
    const std::size_t dims = size(shape_.dims);
    from_panels({shares_[0]->d_weight().data(), kQuestions, dims}, d_weight_.values.data(), dims);
}

}  // namespace solis::nn
