// The transformer's end, forward.
#include "solis/nn/transformer/cls_layer.h"

#include <algorithm>
#include <cmath>

#include "solis/nn/kernels/softmax.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::nn {
namespace {

// As torch.nn.functional.normalize has it.
constexpr float kLeastLength = 1e-12f;

}  // namespace

void PackedClsLayer::pack(const TransformerShape& shape, const TransformerWeights& weights,
                          bool with_backward) {
    const auto last = static_cast<std::size_t>(shape.layers) - 1;
    layer.pack(weights, last, with_backward);
    projection.pack(weights.projection_weight(), with_backward);
    projection_bias = weights.projection_bias().values.data();
    const auto dims = static_cast<std::size_t>(shape.dims);
    const float* const in = weights.part(last, LayerPart::InWeight).values.data();
    const auto pack_heads = [&](const float* rows, AlignedVector<float>& to) {
        to.resize(dims * dims);
        const std::size_t width = shape.head_dims();
        for (std::size_t first = 0; first < dims; first += width) {
            to_panels(rows + first * dims, dims, {to.data() + first * dims, width, dims});
        }
    };
    pack_heads(in + dims * dims, keys);
    if (!with_backward) return;
    pack_heads(in + 2 * dims * dims, values);
    query.resize(dims * dims);
    to_panels(in, dims, {query.data(), dims, dims});
}

ClsLayer::ClsLayer(const TransformerShape& shape, std::size_t capacity)
    : dims_(static_cast<std::size_t>(shape.dims)),
      heads_(static_cast<std::size_t>(shape.heads)),
      rows_(shape.rows()),
      head_dims_(shape.head_dims()),
      mlp_(static_cast<std::size_t>(shape.mlp)),
      scratch_(shape, capacity) {
    for (auto* narrow : {&x0_, &q_, &o_, &out_, &raw_, &hat1_, &hat2_, &d_, &d_o_, &d_q_}) {
        narrow->resize(capacity * dims_);
    }
    for (auto* per_head : {&u_, &y_, &d_y_, &d_u_}) per_head->resize(heads_ * capacity * dims_);
    p_.resize(capacity * panel_floats(rows_, heads_));
    h_.resize(capacity * mlp_);
    for (auto* numbers : {&scales1_, &scales2_, &norms_}) numbers->resize(capacity);
    sums_.resize(capacity * heads_);
    rows_heads_.resize(panel_floats(rows_, heads_));
    rows_heads2_.resize(panel_floats(rows_, heads_));
    heads_dims_.resize(heads_ * dims_);
    heads_dims2_.resize(heads_ * dims_);
    dims_heads_.resize(panel_floats(dims_, heads_));
}

FeedBuffers ClsLayer::feed_buffers() {
    return {
        narrow(hat1_), {h_.data(), count_, mlp_}, narrow(hat2_), scales1_.data(), scales2_.data()};
}

void ClsLayer::gather(AlignedVector<float>& from, std::size_t sample, Panels to) {
    for (std::size_t head = 0; head < heads_; ++head) {
        const Panels source = of_head(from, head);
        for (std::size_t col = 0; col < dims_; col += kPanel) {
            std::copy_n(&source.at(sample, col), kPanel, &to.at(head, col));
        }
    }
}

void ClsLayer::scatter(ConstPanels from, std::size_t sample, AlignedVector<float>& to) {
    for (std::size_t head = 0; head < heads_; ++head) {
        const Panels target = of_head(to, head);
        for (std::size_t col = 0; col < dims_; col += kPanel) {
            std::copy_n(&from.at(head, col), kPanel, &target.at(sample, col));
        }
    }
}

Panels ClsLayer::drop_attention(std::size_t sample, const LayerPlace& place,
                                AlignedVector<float>& room) {
    const Panels p = attention(sample);
    if (place.dropout.rate == 0) return p;
    const Panels dropped{room.data(), rows_, heads_};
    std::copy_n(p.data, p.floats(), dropped.data);
    place.dropout.apply(dropped, place.layer, DropoutSite::Attention, place.sample + sample);
    for (std::size_t head = 0; head < heads_; ++head) {
        float& sum = sums_[sample * heads_ + head] = 0;
        for (std::size_t row = 0; row < rows_; ++row) sum += dropped.at(row, head);
    }
    return dropped;
}

void ClsLayer::attend_sample(const Panels& x, std::size_t sample, const LayerPlace& place) {
    const Panels u{heads_dims_.data(), heads_, dims_}, ut{dims_heads_.data(), dims_, heads_};
    gather(u_, sample, u);
    transpose(u, ut);
    const Panels p = attention(sample);
    multiply(x, ut, nullptr, p, Into::Overwrite);
    softmax_columns(p, 1 / std::sqrt(static_cast<float>(head_dims_)));
    const Panels y{heads_dims_.data(), heads_, dims_};
    multiply_transposed(drop_attention(sample, place, rows_heads_), x, y, Into::Overwrite);
    scatter(y, sample, y_);
}

void ClsLayer::project_values(const PackedClsLayer& packed, const LayerPlace& place) {
    const Panels o = narrow(o_);
    const float* const bias = packed.layer.in_bias + 2 * dims_;
    const bool dropping = place.dropout.rate > 0;
    for (std::size_t head = 0; head < heads_; ++head) {
        const std::size_t first = head * head_dims_;
        multiply(of_head(y_, head),
                 packed.layer.in.forward().columns(2 * dims_ + first, head_dims_),
                 dropping ? nullptr : bias + first, o.columns(first, head_dims_), Into::Overwrite);
    }
    if (!dropping) return;
    // Dropped attention does not add up to 1, and neither does its share of the bias.
    for (std::size_t sample = 0; sample < count_; ++sample) {
        for (std::size_t col = 0; col < dims_; ++col) {
            o.at(sample, col) += sums_[sample * heads_ + col / head_dims_] * bias[col];
        }
    }
}

void ClsLayer::normalize(std::span<float> z) {
    for (std::size_t sample = 0; sample < count_; ++sample) {
        const std::span<float> row = z.subspan(sample * dims_, dims_);
        row_of(narrow(raw_), sample, row.data());
        norms_[sample] = std::max(std::sqrt(dot(row, row)), kLeastLength);
        for (float& value : row) value /= norms_[sample];
    }
}

void ClsLayer::forward(const PackedClsLayer& packed, std::span<const Panels> inputs,
                       const LayerPlace& place, std::span<float> z) {
    count_ = inputs.size();
    const Panels x0 = narrow(x0_), q = narrow(q_);
    for (std::size_t sample = 0; sample < count_; ++sample) {
        for (std::size_t col = 0; col < dims_; col += kPanel) {
            std::copy_n(&inputs[sample].at(0, col), kPanel, &x0.at(sample, col));
        }
    }
    multiply(x0, packed.layer.in.forward().columns(0, dims_), packed.layer.in_bias, q,
             Into::Overwrite);
    for (std::size_t head = 0; head < heads_; ++head) {
        const std::size_t first = head * head_dims_;
        const ConstPanels keys{packed.keys.data() + first * dims_, head_dims_, dims_};
        multiply(q.columns(first, head_dims_), keys, nullptr, of_head(u_, head), Into::Overwrite);
    }
    for (std::size_t sample = 0; sample < count_; ++sample) {
        attend_sample(inputs[sample], sample, place);
    }
    project_values(packed, place);
    feed(packed.layer, place, x0, narrow(o_), feed_buffers(), narrow(out_), scratch_);
    multiply(narrow(out_), packed.projection.forward(), packed.projection_bias, narrow(raw_),
             Into::Overwrite);
    normalize(z);
}

}  // namespace solis::nn
