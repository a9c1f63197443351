// The transformer encoder over batches of tokens: inference, and training with its gradients.
#pragma once
#include <memory>

#include "solis/base/thread_pool.h"
#include "solis/nn/auxiliary_loss.h"
#include "solis/nn/transformer/cls_layer.h"
#include "solis/nn/transformer/input.h"

namespace solis::nn {

// What the products of a training step are made of; sums, and all else, are floats.
enum class Precision : std::uint8_t { Float, BFloat16 };

// What the products of inference are made of in all layers but the last.
enum class InferencePrecision : std::uint8_t {
    Float,
    Integers,  // 16 bits: embeddings keep a cosine above 0.9999 with the exact ones
    // The largest product in 8 bits, and attention in bfloat16, where the machine has instructions
    // for these: a cosine above 0.999, and siblings keep their order. Other machines get 16 bits.
    Bytes
};

// Weights as the kernels want them.
class PackedTransformer {
  public:
    // Ready to embed: looks the first layer's queries, keys and values up in a table of every token
    // at every place. Owns what it needs of the weights; matrices are kept in one form only.
    [[nodiscard]] static PackedTransformer for_inference(const TransformerShape& shape,
                                                         TransformerWeights weights,
                                                         InferencePrecision precision,
                                                         ThreadPool& pool);

    // For training, where weights change between steps: refers to `weights`, whose biases and norms
    // it uses where they are. One of the two functions below must come before the first use.
    PackedTransformer(const TransformerShape& shape, const TransformerWeights& weights);
    // Again, after the weights have changed, with what the way back needs.
    void pack_for_training(Precision precision, ThreadPool& pool);
    // The same for a forward pass in floats.
    void pack_for_embedding(ThreadPool& pool);

    [[nodiscard]] const TransformerShape& shape() const { return shape_; }
    [[nodiscard]] const TransformerWeights& weights() const { return *weights_; }
    [[nodiscard]] const PackedLayer& layer(std::size_t i) const { return layers_[i]; }
    [[nodiscard]] const PackedClsLayer& cls_layer() const { return cls_layer_; }
    [[nodiscard]] bool has_input_table() const { return !table_.empty(); }
    // [3 dims] of a token (0 in the first row, which is CLS) in a row.
    [[nodiscard]] const float* input_projection(std::size_t row, std::uint8_t token) const;

  private:
    void pack(bool with_backward, ThreadPool& pool);
    void make_input_table(ThreadPool& pool);
    void use(InferencePrecision precision, ThreadPool& pool);
    // Gives the floats back that another form of them has replaced.
    void drop_floats();

    TransformerShape shape_;
    std::unique_ptr<TransformerWeights> own_weights_;  // for inference
    const TransformerWeights* weights_;
    std::vector<PackedLayer> layers_;  // all but the last
    PackedClsLayer cls_layer_;
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
    // Of the last forward, whose network had no input table. Adds to the gradients. `auxiliary` may
    // be null.
    void backward(const PackedTransformer& net, const Dropout& dropout, std::uint64_t first,
                  std::span<const float> z, std::span<const float> d_z,
                  TransformerGradients& gradients, AuxiliaryLossShare* auxiliary);

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
    ClsLayer cls_layer_;
};

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
    // Sets the gradients from those of the last forward's z, and from the auxiliary loss where
    // there is one, whose targets must have been set for the same samples.
    void backward(std::span<const float> d_z, ThreadPool& pool, AuxiliaryLoss* auxiliary = nullptr);
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
