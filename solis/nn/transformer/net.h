// The transformer encoder over batches of tokens: inference, and training with its gradients.
#pragma once
#include <memory>

#include "solis/base/thread_pool.h"
#include "solis/nn/row_lessons.h"
#include "solis/nn/transformer/head.h"
#include "solis/nn/transformer/input.h"

namespace solis::nn {

// Weights as the kernels want them. Refers to biases and norms of the weights it was packed from.
class PackedTransformer {
  public:
    PackedTransformer(const TransformerShape& shape, const TransformerWeights& weights);

    // Again, after the weights have changed.
    void pack(bool with_backward, ThreadPool& pool);
    // For training: the products of all layers but the last are those of bfloat16.
    void pack_bf16(ThreadPool& pool);
    // From now on, until it is packed again, the products of all layers but the last are those of
    // 16-bit integers: for inference, where embeddings keep a cosine above 0.9999 with the exact
    // ones.
    void use_integers(ThreadPool& pool);
    // The same with the largest product in 8 bits, and attention in bfloat16, where the machine
    // has instructions for these: a cosine above 0.999, and siblings keep their order. Other
    // machines get 16 bits.
    void use_bytes(ThreadPool& pool);
    // The first layer's queries, keys and values for every token at every place: inference looks
    // them up instead of computing them.
    void make_input_table(ThreadPool& pool);

    [[nodiscard]] const TransformerShape& shape() const { return shape_; }
    [[nodiscard]] const TransformerWeights& weights() const { return weights_; }
    [[nodiscard]] const PackedLayer& layer(std::size_t i) const { return layers_[i]; }
    [[nodiscard]] const PackedHead& head() const { return head_; }
    [[nodiscard]] bool has_input_table() const { return !table_.empty(); }
    // [3 dims] of a token (0 in the first row, which is CLS) in a row.
    [[nodiscard]] const float* input_projection(std::size_t row, std::uint8_t token) const;

  private:
    TransformerShape shape_;
    const TransformerWeights& weights_;
    std::vector<PackedLayer> layers_;  // all but the last
    PackedHead head_;
    AlignedVector<float> table_;  // [rows][vocabulary][3 dims]
};

// Some samples of a batch on one thread, with the memory for them.
class TransformerSlice {
  public:
    // `keep`: what backward needs is kept, one set of buffers per sample and layer.
    TransformerSlice(const TransformerShape& shape, std::size_t capacity, bool keep);

    // tokens: samples x shape.tokens, all below the vocabulary. `first` is the number of the first
    // sample in its batch, for dropout.
    void forward(const PackedTransformer& net, std::span<const std::uint8_t> tokens,
                 const Dropout& dropout, std::uint64_t first, std::span<float> z);
    // Of the last forward, whose network had no input table. Adds to the gradients. `lessons` may
    // be null.
    void backward(const PackedTransformer& net, const Dropout& dropout, std::uint64_t first,
                  std::span<const float> z, std::span<const float> d_z,
                  TransformerGradients& gradients, LessonShare* lessons);

  private:
    struct Buffers {
        AttentionBuffers attention;
        FeedBuffers feed;
    };
    [[nodiscard]] Buffers buffers(std::size_t sample, std::size_t layer);
    // Of a sample, in the layer that it has come to; on the way back its gradient.
    [[nodiscard]] Panels layer_input(std::size_t sample);
    void look_up_input(const PackedTransformer& net, std::span<const std::uint8_t> tokens,
                       Panels qkv) const;
    void forward_layer(const PackedTransformer& net, std::size_t layer,
                       std::span<const std::uint8_t> tokens, const Dropout& dropout,
                       std::uint64_t number, std::size_t sample);
    void backward_layer(const PackedTransformer& net, std::size_t layer, const Dropout& dropout,
                        std::uint64_t number, std::size_t sample, TransformerGradients& gradients);

    TransformerShape shape_;
    bool keep_;
    std::size_t layer_floats_;
    AlignedVector<float> kept_;          // [samples][layers - 1], or one
    AlignedVector<float> layer_inputs_;  // [samples]
    std::vector<Panels> inputs_;
    TransformerInput input_;
    LayerScratch scratch_;
    TransformerHead head_;
};

// What the products of a training step are made of; sums, and all else, are floats.
enum class Precision : std::uint8_t { Float, BFloat16 };

class TransformerNet {
  public:
    explicit TransformerNet(const TransformerShape& shape, Precision precision = Precision::Float);
    TransformerNet(const TransformerNet&) = delete;
    TransformerNet& operator=(const TransformerNet&) = delete;

    [[nodiscard]] const TransformerShape& shape() const { return shape_; }
    [[nodiscard]] TransformerWeights& weights() { return weights_; }
    [[nodiscard]] const TransformerWeights& weights() const { return weights_; }
    [[nodiscard]] TransformerWeights& gradients() { return gradients_; }

    // z: samples x dims, rows of length 1. Keeps what backward needs: about 1.6 MB per sample of
    // the paper's Mini. The same result for any number of threads.
    void forward(std::span<const std::uint8_t> tokens, const Dropout& dropout, ThreadPool& pool,
                 std::span<float> z);
    // Sets the gradients from those of the last forward's z, and from the lessons where there are
    // any, which must know answers for its samples.
    void backward(std::span<const float> d_z, ThreadPool& pool, RowLessons* lessons = nullptr);
    // Without dropout, and without keeping anything; in floats.
    void embed(std::span<const std::uint8_t> tokens, ThreadPool& pool, std::span<float> z);

  private:
    struct Range {
        std::size_t begin, end;
    };
    [[nodiscard]] std::size_t samples(std::span<const std::uint8_t> tokens) const {
        return tokens.size() / static_cast<std::size_t>(shape_.tokens);
    }
    [[nodiscard]] Range slice_range(std::size_t slice) const;
    [[nodiscard]] std::span<const std::uint8_t> tokens_of(std::span<const std::uint8_t> tokens,
                                                          Range range) const;
    void plan_slices(std::size_t count);
    void add_up_gradients(ThreadPool& pool);
    void unpack_gradient(std::size_t tensor);

    TransformerShape shape_;
    Precision precision_;
    TransformerWeights weights_, gradients_;
    PackedTransformer packed_;
    std::vector<std::unique_ptr<TransformerSlice>> slices_;
    std::vector<TransformerGradients> slice_gradients_;
    std::size_t samples_ = 0, slice_size_ = 0;
    // Of the last forward.
    std::vector<float> z_;
    Dropout dropout_;
};

}  // namespace solis::nn
