// The end of the transformer: the last layer, of which only the CLS row is wanted, projection and
// unit length, for many samples at once.
//
// With one query per head, attention is cheap in the space of the layer's input x: the key
// projection goes to the query's side (u = Wk^T q, scores x u) and the value projection behind the
// sum (Wv (sum of p x) + bv), so no row but the first is ever projected. The key bias shifts all
// scores of a head alike and has no influence.
#pragma once
#include "solis/nn/transformer/layer.h"

namespace solis::nn {

// Weights of the last layer and the projection. Refers to those it was packed from.
struct PackedClsLayer {
    PackedLayer layer;
    PackedLinear projection;
    const float* projection_bias;
    AlignedVector<float> keys;    // heads x (head_dims x dims)
    AlignedVector<float> values;  // the same
    AlignedVector<float> query;   // dims x dims, for the way back

    void pack(const TransformerShape& shape, const TransformerWeights& weights, bool with_backward);
};

// Where the gradient of the last layer's in_proj_weight lies in its block: queries, then keys and
// values head by head, each a panel matrix of its own.
void unpack_cls_in_gradient(const TransformerShape& shape, const float* packed, float* rows);

// Buffers and passes for up to `capacity` samples.
class ClsLayer {
  public:
    ClsLayer(const TransformerShape& shape, std::size_t capacity);

    // inputs: of each sample, the last layer's input (rows x dims). z: samples x dims.
    void forward(const PackedClsLayer& packed, std::span<const Panels> inputs,
                 const LayerPlace& place, std::span<float> z);
    // Replaces the inputs by their gradients.
    void backward(const PackedClsLayer& packed, std::span<const Panels> inputs,
                  const LayerPlace& place, std::span<const float> z, std::span<const float> d_z,
                  TransformerGradients& gradients);

  private:
    void attend_sample(const Panels& x, std::size_t sample, const LayerPlace& place);
    void attend_sample_backward(const Panels& x, std::size_t sample, const LayerPlace& place,
                                const float* value_bias);
    void project_values(const PackedClsLayer& packed, const LayerPlace& place);
    void values_backward(const PackedClsLayer& packed, const LayerPlace& place,
                         TransformerGradients& gradients);
    void queries_backward(const PackedClsLayer& packed, const LayerPlace& place,
                          TransformerGradients& gradients);
    void normalize(std::span<float> z);
    void normalize_backward(std::span<const float> z, std::span<const float> d_z);

    [[nodiscard]] Panels narrow(AlignedVector<float>& data) { return {data.data(), count_, dims_}; }
    // One of `heads` matrices, samples x dims.
    [[nodiscard]] Panels of_head(AlignedVector<float>& data, std::size_t head) {
        return {data.data() + head * count_ * dims_, count_, dims_};
    }
    // rows x heads: the attention of one sample.
    [[nodiscard]] Panels attention(std::size_t sample) {
        return {p_.data() + sample * panel_floats(rows_, heads_), rows_, heads_};
    }
    // Attention with dropout, in `room`, and the sum of each head's.
    Panels drop_attention(std::size_t sample, const LayerPlace& place, AlignedVector<float>& room);
    // The rows of one sample, heads x dims, from and to one matrix per head.
    void gather(AlignedVector<float>& from, std::size_t sample, Panels to);
    void scatter(ConstPanels from, std::size_t sample, AlignedVector<float>& to);
    [[nodiscard]] FeedBuffers feed_buffers();

    std::size_t dims_, heads_, rows_, head_dims_, mlp_;
    std::size_t count_ = 0;  // samples of the current pass
    LayerScratch scratch_;
    AlignedVector<float> x0_, q_, o_, out_, raw_;     // samples x dims
    AlignedVector<float> u_, y_;                      // heads x (samples x dims)
    AlignedVector<float> p_;                          // samples x (rows x heads)
    AlignedVector<float> hat1_, h_, hat2_;            // as in FeedBuffers
    std::vector<float> scales1_, scales2_, norms_;    // [samples]
    std::vector<float> sums_;                         // [samples][heads]: of dropped attention
    AlignedVector<float> d_, d_o_, d_y_, d_u_, d_q_;  // gradients of their namesakes
    AlignedVector<float> rows_heads_, rows_heads2_, heads_dims_, heads_dims2_,
        dims_heads_;  // of one sample, named by their sizes
};

}  // namespace solis::nn
