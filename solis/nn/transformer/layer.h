// One layer of the transformer, forward and backward, on panel matrices of one sample. The part
// behind attention works on any rows, so that the last layer runs on the CLS rows of many samples.
#pragma once
#include <cstdint>

#include "solis/base/aligned.h"
#include "solis/nn/kernels/bf16_panels.h"
#include "solis/nn/kernels/byte_panels.h"
#include "solis/nn/kernels/integer_panels.h"
#include "solis/nn/kernels/softmax.h"
#include "solis/nn/transformer/weights.h"

namespace solis::nn {

// A weight [out][in] as both products want it.
class PackedLinear {
  public:
    void pack(const Tensor& weight, bool with_backward);
    // For training whose products are those of bfloat16; without the floats.
    void pack_bf16(const Tensor& weight);
    // From now on products are those of 16-bit integers, or of 8 bits, for inference.
    void use_integers() { integers_.pack(forward()); }
    void use_bytes() { bytes_.pack(forward()); }
    // Gives the floats back where integers or bytes are used.
    void drop_floats() {
        if (!integers_.empty() || !bytes_.empty()) AlignedVector<float>().swap(forward_);
    }
    // in x out, for y = x W^T.
    [[nodiscard]] ConstPanels forward() const { return {forward_.data(), in_, out_}; }
    // out x in, for dx = dy W.
    [[nodiscard]] ConstPanels backward() const { return {backward_.data(), out_, in_}; }
    // Those that are empty are not used.
    [[nodiscard]] const IntegerMatrix& integers() const { return integers_; }
    [[nodiscard]] const ByteMatrix& bytes() const { return bytes_; }
    [[nodiscard]] const Bf16Matrix& bf16_forward() const { return bf16_forward_; }
    [[nodiscard]] const Bf16Matrix& bf16_backward() const { return bf16_backward_; }

  private:
    std::size_t in_ = 0, out_ = 0;
    AlignedVector<float> forward_, backward_;
    IntegerMatrix integers_;
    ByteMatrix bytes_;
    Bf16Matrix bf16_forward_, bf16_backward_;
};

// Refers to the biases and norms of the weights it was packed from.
struct PackedLayer {
    PackedLinear in, out, up, down;
    const float *in_bias, *out_bias, *up_bias, *down_bias;
    const float *norm1_gain, *norm1_bias, *norm2_gain, *norm2_bias;
    bool bf16_attention = false;

    void pack(const TransformerWeights& weights, std::size_t layer, bool with_backward);
    void pack_bf16(const TransformerWeights& weights, std::size_t layer);
    void use_integers();
    // 8 bits where they keep the order of siblings, 16 elsewhere; attention in bfloat16 where that
    // is fast.
    void use_bytes();
    // After one of these.
    void drop_floats() {
        for (PackedLinear* linear : {&in, &out, &up, &down}) linear->drop_floats();
    }

  private:
    void refer_to(const TransformerWeights& weights, std::size_t layer);
};

// Gradients of all parameters in one block, tensor by tensor; matrices as panels (out x in).
class TransformerGradients {
  public:
    explicit TransformerGradients(const TransformerWeights& weights);

    [[nodiscard]] std::span<float> all() { return values_; }
    [[nodiscard]] float* at(std::size_t tensor) { return values_.data() + offsets_[tensor]; }
    [[nodiscard]] float* at(std::size_t layer, LayerPart part) {
        return at(part_index(layer, part));
    }

  private:
    AlignedVector<float> values_;
    std::vector<std::size_t> offsets_;
};

enum class DropoutSite : std::uint8_t { Attention, AttentionOut, MlpInner, MlpOut };

// Which elements a training step drops: a function of these numbers alone.
struct Dropout {
    float rate = 0;  // 0 for inference
    std::uint64_t seed = 0;
    std::uint64_t first_sample = 0;  // where a part of a batch begins in the whole

    // Of one matrix; `number` tells samples and heads apart.
    void apply(Panels x, std::size_t layer, DropoutSite site, std::uint64_t number) const;
    [[nodiscard]] std::uint32_t key(std::size_t layer, DropoutSite site,
                                    std::uint64_t number) const;
};

// Place in a network: what dropout needs to know.
struct LayerPlace {
    std::size_t layer;
    std::uint64_t sample;
    std::size_t heads;
    Dropout dropout;
};

// What the way back needs; for inference all layers may share one. What is quickly made again is
// not kept, because memory is slower than computing: attention, and the results of both norms.
struct AttentionBuffers {
    Panels qkv;  // rows x 3 dims
    Panels o;    // rows x dims
};
struct FeedBuffers {
    Panels hat1;  // rows x dims
    Panels h;     // rows x mlp, before GELU
    Panels hat2;  // rows x dims
    float *scales1, *scales2;
};

// What the products of linear layers are made of, where that is not floats. Grows as needed.
class LinearScratch {
  public:
    [[nodiscard]] IntegerRows integers(std::size_t rows, std::size_t cols);
    [[nodiscard]] ByteRows bytes(std::size_t rows, std::size_t cols);

    Bf16Memory left;
    Bf16Memory outputs, inputs;  // of products over rows

  private:
    AlignedVector<float> scales_, zeros_;
    AlignedVector<std::int16_t> integers_;
    AlignedVector<std::uint8_t> bytes_;
};

class LayerScratch;

// Attention in bfloat16, with the memory for it.
class Bf16Attention {
  public:
    // p: room for rows x rows. Like attend and attend_backward below.
    void forward(const LayerPlace& place, const AttentionBuffers& b, Panels p);
    void backward(const LayerPlace& place, const AttentionBuffers& b, ConstPanels d_o, Panels d_qkv,
                  LayerScratch& scratch);

  private:
    void score(ConstBf16Rows queries, ConstBf16Rows keys, Panels scores);
    // What each query (column) takes of each key (row): p as it is, its copies after dropout, for
    // which `dropped` is room.
    void weigh(const LayerPlace& place, std::size_t head, ConstBf16Rows queries, ConstBf16Rows keys,
               Panels p, Panels dropped, const Bf16Copies& copies);

    Bf16Memory in_rows_, in_pairs_, out_rows_, out_pairs_, p_rows_, p_pairs_, turned_;
    AlignedVector<float> shares_;
};

// Working memory, for at most this many rows.
class LayerScratch {
  public:
    LayerScratch(const TransformerShape& shape, std::size_t rows);

    [[nodiscard]] Panels wide(std::size_t rows) { return {wide_.data(), rows, mlp_}; }
    [[nodiscard]] Panels wide2(std::size_t rows) { return {wide2_.data(), rows, mlp_}; }
    [[nodiscard]] Panels narrow(std::size_t rows) { return {narrow_.data(), rows, dims_}; }
    [[nodiscard]] Panels narrow2(std::size_t rows) { return {narrow2_.data(), rows, dims_}; }
    [[nodiscard]] Panels narrow3(std::size_t rows) { return {narrow3_.data(), rows, dims_}; }
    [[nodiscard]] Panels qkv(std::size_t rows) { return {qkv_.data(), rows, 3 * dims_}; }
    [[nodiscard]] Panels square(std::size_t rows) { return {square_.data(), rows, rows}; }
    [[nodiscard]] Panels square2(std::size_t rows) { return {square2_.data(), rows, rows}; }
    [[nodiscard]] Panels square3(std::size_t rows) { return {square3_.data(), rows, rows}; }
    [[nodiscard]] LinearScratch& linear() { return linear_; }
    [[nodiscard]] Bf16Attention& bf16_attention() { return bf16_attention_; }
    // head_dims x rows.
    [[nodiscard]] Panels head(std::size_t rows) { return {head_.data(), head_dims_, rows}; }

  private:
    std::size_t dims_, mlp_, head_dims_;
    AlignedVector<float> wide_, wide2_, narrow_, narrow2_, narrow3_, qkv_;
    AlignedVector<float> square_, square2_, square3_, head_;
    LinearScratch linear_;
    Bf16Attention bf16_attention_;
};

// y = x W^T + bias, in what the weight was packed for.
void apply(const PackedLinear& weight, const float* bias, ConstPanels x, Panels y,
           LinearScratch& scratch);

// The way back through y = x W^T + bias, given the gradient of y. One at a time in a scratch.
class LinearBackward {
  public:
    LinearBackward(const PackedLinear& weight, ConstPanels d_y, LinearScratch& scratch);

    void to_input(Panels d_x, Into into) const;
    void add_gradients(ConstPanels x, float* d_weight, float* d_bias) const;

  private:
    const PackedLinear& weight_;
    ConstPanels d_y_;
    LinearScratch& scratch_;
    bool is_bf16_;
    Bf16Rows rows_{};
    Bf16Pairs pairs_{};
};
// The part of it that no weight is needed for.
void add_linear_gradients(ConstPanels d_y, ConstPanels x, float* d_weight, float* d_bias);

// What each query (column) of a head takes of each key (row), before dropout.
void attention_of_head(const LayerPlace& place, const AttentionBuffers& b, std::size_t head,
                       LayerScratch& scratch, Panels p);
// From b.qkv to b.o, head by head.
void attend(const LayerPlace& place, const AttentionBuffers& b, LayerScratch& scratch);
// d_o: rows x dims. Writes the gradient of b.qkv.
void attend_backward(const LayerPlace& place, const AttentionBuffers& b, ConstPanels d_o,
                     Panels d_qkv, LayerScratch& scratch);

// Everything behind attention: out projection, norm, MLP, norm. x is the layer's input, o what
// attention made of it. `out` may be x.
void feed(const PackedLayer& layer, const LayerPlace& place, ConstPanels x, ConstPanels o,
          const FeedBuffers& b, Panels out, LayerScratch& scratch);
// d, the gradient of out, becomes that of x along the residual; d_o gets that of o.
void feed_backward(const PackedLayer& layer, const LayerPlace& place, ConstPanels o,
                   const FeedBuffers& b, Panels d, Panels d_o, TransformerGradients& gradients,
                   LayerScratch& scratch);

}  // namespace solis::nn
