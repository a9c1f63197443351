// What the rows of a transformer are taught beside its embedding. A contrastive loss says one
// number about a whole sample; questions about every row say what the sample is made of, and are
// learnt from far fewer samples. They belong to training: no model keeps them.
#pragma once
#include <array>
#include <memory>

#include "solis/nn/transformer/layer.h"

namespace solis::nn {

// Questions to every row, as many as a panel has columns.
inline constexpr std::size_t kQuestions = kPanel;

// How much a question counts in the loss, and of what kind its answer is.
struct Question {
    bool yes_or_no =
        true;  // 0 or 1 and logistic loss; otherwise a number and half its squared error
    float weight = 0;
};
using Questions = std::array<Question, kQuestions>;

// The lessons of some samples on one thread.
class LessonShare {
  public:
    LessonShare(const TransformerShape& shape, std::size_t capacity);

    // Before the way back: `answers` are [samples][rows][kQuestions], NaN where none is known.
    void start(const PackedLinear& weight, const float* bias, const Questions& questions,
               const float* answers);
    // x: the rows of a sample behind the last layer but one.
    void differentiate(std::size_t sample, ConstPanels x);
    // Adds the gradient of that x.
    void add_gradient(std::size_t sample, Panels d) const;

    [[nodiscard]] double loss() const { return loss_; }
    [[nodiscard]] std::span<float> d_weight() { return d_weight_; }  // panels, kQuestions x dims
    [[nodiscard]] std::span<float> d_bias() { return d_bias_; }

  private:
    std::size_t rows_, dims_;
    const PackedLinear* weight_ = nullptr;
    const float* bias_ = nullptr;
    const float* answers_ = nullptr;
    Questions questions_{};
    double loss_ = 0;
    AlignedVector<float> replies_;  // rows x kQuestions, then their gradient
    AlignedVector<float> d_x_;      // [samples], rows x dims each
    AlignedVector<float> d_weight_, d_bias_;
};

// The lessons of a network: one linear map from a row to its replies.
class RowLessons {
  public:
    explicit RowLessons(const TransformerShape& shape);

    [[nodiscard]] std::vector<Tensor*> parameters() { return {&weight_, &bias_}; }
    [[nodiscard]] std::vector<Tensor*> gradients() { return {&d_weight_, &d_bias_}; }

    // For the samples of the next way back. The loss is the sum over all replies.
    void ask(const Questions& questions, std::vector<float> answers);
    // A share for each slice of a batch; slice i has samples [i * slice_size, ...).
    void start(std::size_t slices, std::size_t slice_size);
    [[nodiscard]] LessonShare& share(std::size_t slice) { return *shares_[slice]; }
    // Sets the gradients from those of the shares.
    void finish();
    // Of the last way back.
    [[nodiscard]] double loss() const { return loss_; }

  private:
    TransformerShape shape_;
    Tensor weight_, bias_, d_weight_, d_bias_;
    PackedLinear packed_;
    Questions questions_{};
    std::vector<float> answers_;
    std::size_t slice_size_ = 0;
    std::vector<std::unique_ptr<LessonShare>> shares_;
    double loss_ = 0;
};

}  // namespace solis::nn
