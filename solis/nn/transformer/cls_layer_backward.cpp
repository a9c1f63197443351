// The transformer's end, backward.
#include <algorithm>
#include <cmath>

#include "solis/nn/kernels/softmax.h"
#include "solis/nn/kernels/vector_kernels.h"
#include "solis/nn/transformer/cls_layer.h"

namespace solis::nn {

void unpack_cls_in_gradient(const TransformerShape& shape, const float* packed, float* rows) {
    const auto dims = static_cast<std::size_t>(shape.dims);
    from_panels({packed, dims, dims}, rows, dims);
    const std::size_t width = shape.head_dims();
    for (std::size_t first = dims; first < 3 * dims; first += width) {
        from_panels({packed + first * dims, width, dims}, rows + first * dims, dims);
    }
}

// The part of d_z along z does not change a unit vector.
void ClsLayer::normalize_backward(std::span<const float> z, std::span<const float> d_z) {
    const Panels raw = narrow(raw_);
    for (std::size_t sample = 0; sample < count_; ++sample) {
        const auto unit = z.subspan(sample * dims_, dims_), d = d_z.subspan(sample * dims_, dims_);
        const float along = dot(unit, d);
        for (std::size_t col = 0; col < dims_; ++col) {
            raw.at(sample, col) = (d[col] - along * unit[col]) / norms_[sample];
        }
    }
}

void ClsLayer::values_backward(const PackedClsLayer& packed, const LayerPlace& place,
                               TransformerGradients& gradients) {
    const Panels d_o = narrow(d_o_);
    float* const d_weight = gradients.at(place.layer, LayerPart::InWeight) + 2 * dims_ * dims_;
    float* const d_bias = gradients.at(place.layer, LayerPart::InBias) + 2 * dims_;
    for (std::size_t head = 0; head < heads_; ++head) {
        const std::size_t first = head * head_dims_;
        const ConstPanels d_head = d_o.columns(first, head_dims_);
        const ConstPanels values{packed.values.data() + first * dims_, head_dims_, dims_};
        multiply(d_head, values, nullptr, of_head(d_y_, head), Into::Overwrite);
        multiply_transposed(d_head, of_head(y_, head),
                            {d_weight + first * dims_, head_dims_, dims_}, Into::Add);
    }
    const bool dropping = place.dropout.rate > 0;
    for (std::size_t sample = 0; sample < count_; ++sample) {
        for (std::size_t col = 0; col < dims_; ++col) {
            const float share = dropping ? sums_[sample * heads_ + col / head_dims_] : 1;
            d_bias[col] += share * d_o.at(sample, col);
        }
    }
}

void ClsLayer::attend_sample_backward(const Panels& x, std::size_t sample, const LayerPlace& place,
                                      const float* value_bias) {
    const Panels d_y{heads_dims_.data(), heads_, dims_}, d_yt{dims_heads_.data(), dims_, heads_};
    gather(d_y_, sample, d_y);
    transpose(d_y, d_yt);
    const Panels d_p{rows_heads_.data(), rows_, heads_};
    multiply(x, d_yt, nullptr, d_p, Into::Overwrite);
    const Panels used = drop_attention(sample, place, rows_heads2_);
    if (place.dropout.rate > 0) {
        for (std::size_t head = 0; head < heads_; ++head) {
            float through_bias = 0;
            for (std::size_t col = head * head_dims_; col < (head + 1) * head_dims_; ++col) {
                through_bias += narrow(d_o_).at(sample, col) * value_bias[col];
            }
            for (std::size_t row = 0; row < rows_; ++row) d_p.at(row, head) += through_bias;
        }
        place.dropout.apply(d_p, place.layer, DropoutSite::Attention, place.sample + sample);
    }
    softmax_columns_backward(attention(sample), 1 / std::sqrt(static_cast<float>(head_dims_)), d_p);
    const Panels other{heads_dims2_.data(), heads_, dims_};
    multiply_transposed(d_p, x, other, Into::Overwrite);
    scatter(other, sample, d_u_);
    // x is not needed any more.
    multiply(used, d_y, nullptr, x, Into::Overwrite);
    gather(u_, sample, other);
    multiply(d_p, other, nullptr, x, Into::Add);
}

void ClsLayer::queries_backward(const PackedClsLayer& packed, const LayerPlace& place,
                                TransformerGradients& gradients) {
    const Panels q = narrow(q_), d_q = narrow(d_q_);
    float* const d_weight = gradients.at(place.layer, LayerPart::InWeight);
    for (std::size_t head = 0; head < heads_; ++head) {
        const std::size_t first = head * head_dims_;
        multiply_transposed(q.columns(first, head_dims_), of_head(d_u_, head),
                            {d_weight + (dims_ + first) * dims_, head_dims_, dims_}, Into::Add);
        multiply(of_head(d_u_, head), packed.layer.in.forward().columns(dims_ + first, head_dims_),
                 nullptr, d_q.columns(first, head_dims_), Into::Overwrite);
    }
    add_linear_gradients(d_q, narrow(x0_), d_weight, gradients.at(place.layer, LayerPart::InBias));
    multiply(d_q, {packed.query.data(), dims_, dims_}, nullptr, narrow(d_), Into::Add);
}

void ClsLayer::backward(const PackedClsLayer& packed, std::span<const Panels> inputs,
                        const LayerPlace& place, std::span<const float> z,
                        std::span<const float> d_z, TransformerGradients& gradients) {
    normalize_backward(z, d_z);
    const std::size_t projection = part_index(place.layer + 1, LayerPart{});
    add_linear_gradients(narrow(raw_), narrow(out_), gradients.at(projection),
                         gradients.at(projection + 1));
    multiply(narrow(raw_), packed.projection.backward(), nullptr, narrow(d_), Into::Overwrite);
    feed_backward(packed.layer, place, narrow(o_), feed_buffers(), narrow(d_), narrow(d_o_),
                  gradients, scratch_);
    values_backward(packed, place, gradients);
    for (std::size_t sample = 0; sample < count_; ++sample) {
        attend_sample_backward(inputs[sample], sample, place, packed.layer.in_bias + 2 * dims_);
    }
    queries_backward(packed, place, gradients);
    std::vector<float> row(dims_);
    for (std::size_t sample = 0; sample < count_; ++sample) {
        row_of(narrow(d_), sample, row.data());
        add_to_row(row.data(), 0, inputs[sample]);
    }
}

}  // namespace solis::nn
