// Batches through the transformer: work is split into slices by the number of samples, never by
// thread, and slices are added up in order, so that any number of threads gives the same bits.
#include "solis/nn/transformer/net.h"

#include <algorithm>

#include "solis/nn/counts.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::nn {
namespace {

constexpr std::size_t kMaxSlices = 16;           // each has gradients of its own
constexpr std::size_t kLeastSliceSize = 16;      // samples
constexpr std::size_t kSamplesPerTask = 32;      // of inference
constexpr std::size_t kFloatsPerTask = 1 << 16;  // when gradients are added up

}  // namespace

PackedTransformer::PackedTransformer(const TransformerShape& shape,
                                     const TransformerWeights& weights)
    : shape_(shape), weights_(&weights), layers_(size(shape.layers) - 1) {}

PackedTransformer PackedTransformer::for_inference(const TransformerShape& shape,
                                                   TransformerWeights weights,
                                                   InferencePrecision precision, ThreadPool& pool) {
    // On the heap, because the layers point to biases and norms.
    auto own = std::make_unique<TransformerWeights>(std::move(weights));
    PackedTransformer packed(shape, *own);
    packed.own_weights_ = std::move(own);
    packed.pack(false, pool);
    packed.make_input_table(pool);
    packed.use(precision, pool);
    packed.drop_floats();
    return packed;
}

void PackedTransformer::pack(bool with_backward, ThreadPool& pool) {
    pool.run(layers_.size() + 1, [&](std::size_t i) {
        if (i < layers_.size()) {
            layers_[i].pack(*weights_, i, with_backward);
        } else {
            cls_layer_.pack(shape_, *weights_, with_backward);
        }
    });
}

void PackedTransformer::pack_for_embedding(ThreadPool& pool) { pack(false, pool); }

void PackedTransformer::pack_for_training(Precision precision, ThreadPool& pool) {
    if (precision == Precision::Float) return pack(true, pool);
    pool.run(layers_.size() + 1, [&](std::size_t i) {
        if (i < layers_.size()) {
            layers_[i].pack_bf16(*weights_, i);
        } else {
            cls_layer_.pack(shape_, *weights_, true);
        }
    });
}

void PackedTransformer::use(InferencePrecision precision, ThreadPool& pool) {
    if (precision == InferencePrecision::Float) return;
    const bool bytes = precision == InferencePrecision::Bytes && has_fast_bytes();
    pool.run(layers_.size(),
             [&](std::size_t i) { bytes ? layers_[i].use_bytes() : layers_[i].use_integers(); });
}

void PackedTransformer::drop_floats() {
    for (PackedLayer& layer : layers_) layer.drop_floats();
    // Matrices of all layers are packed; tokens, places, biases and norms are used where they are.
    const std::size_t first = part_index(0, LayerPart::InWeight);
    for (std::size_t i = first; i < own_weights_->all.size(); ++i) {
        Tensor& tensor = own_weights_->all[i];
        if (tensor.shape.size() == 2) std::vector<float>().swap(tensor.values);
    }
}

void PackedTransformer::make_input_table(ThreadPool& pool) {
    if (layers_.empty()) return;
    const std::size_t dims = size(shape_.dims), words = size(shape_.vocabulary);
    table_.resize(shape_.rows() * words * 3 * dims);
    const auto values = [&](std::size_t tensor) { return weights_->all[tensor].values.data(); };
    pool.run(shape_.rows(), [&](std::size_t row) {
        AlignedVector<float> x(words * dims), qkv(words * 3 * dims), plain(words * dims);
        for (std::size_t word = 0; word < words; ++word) {
            const float* const token =
                row == 0 ? values(kClsToken) : values(kEmbedding) + word * dims;
            for (std::size_t i = 0; i < dims; ++i) {
                plain[word * dims + i] = token[i] + values(kPositions)[row * dims + i];
            }
        }
        const Panels in{x.data(), words, dims}, out{qkv.data(), words, 3 * dims};
        to_panels(plain.data(), dims, in);
        multiply(in, layers_[0].in.forward(), layers_[0].in_bias, out, Into::Overwrite);
        from_panels(out, table_.data() + row * words * 3 * dims, 3 * dims);
    });
}

const float* PackedTransformer::input_projection(std::size_t row, std::uint8_t token) const {
    return table_.data() + (row * size(shape_.vocabulary) + token) * 3 * size(shape_.dims);
}

TransformerNet::TransformerNet(const TransformerShape& shape, Precision precision)
    : shape_(shape),
      precision_(precision),
      weights_(shape),
      gradients_(shape),
      packed_(shape, weights_) {}

TransformerNet::Range TransformerNet::slice_range(std::size_t slice) const {
    const std::size_t begin = slice * slice_size_;
    return {begin, std::min(samples_, begin + slice_size_)};
}

std::span<const std::uint8_t> TransformerNet::tokens_of(std::span<const std::uint8_t> tokens,
                                                        Range range) const {
    const std::size_t length = size(shape_.tokens);
    return tokens.subspan(range.begin * length, (range.end - range.begin) * length);
}

void TransformerNet::plan_slices(std::size_t count) {
    if (count == samples_) return;
    samples_ = count;
    slice_size_ = ceil_div(count, std::clamp(count / kLeastSliceSize, std::size_t{1}, kMaxSlices));
    slices_.clear();
    slice_gradients_.clear();
    for (std::size_t i = 0; i < ceil_div(count, slice_size_); ++i) {
        const Range range = slice_range(i);
        slices_.push_back(
            std::make_unique<TransformerSlice>(shape_, range.end - range.begin, true));
        slice_gradients_.emplace_back(weights_);
    }
}

void TransformerNet::forward(std::span<const std::uint8_t> tokens, const Dropout& dropout,
                             ThreadPool& pool, std::span<float> z) {
    plan_slices(samples(tokens));
    packed_.pack_for_training(precision_, pool);
    dropout_ = dropout;
    const std::size_t dims = size(shape_.dims);
    pool.run(slices_.size(), [&](std::size_t i) {
        const Range range = slice_range(i);
        slices_[i]->forward(packed_, tokens_of(tokens, range), dropout_,
                            dropout_.first_sample + range.begin,
                            z.subspan(range.begin * dims, (range.end - range.begin) * dims));
    });
    z_.assign(z.begin(), z.end());
}

void TransformerNet::backward(std::span<const float> d_z, ThreadPool& pool,
                              AuxiliaryLoss* auxiliary) {
    const std::size_t dims = size(shape_.dims);
    if (auxiliary != nullptr) auxiliary->start(slices_.size(), slice_size_);
    pool.run(slices_.size(), [&](std::size_t i) {
        const Range range = slice_range(i);
        const std::size_t first = range.begin * dims, count = (range.end - range.begin) * dims;
        const std::span<float> gradients = slice_gradients_[i].all();
        std::fill(gradients.begin(), gradients.end(), 0.0f);
        slices_[i]->backward(packed_, dropout_, dropout_.first_sample + range.begin,
                             std::span(z_).subspan(first, count), d_z.subspan(first, count),
                             slice_gradients_[i],
                             auxiliary != nullptr ? &auxiliary->share(i) : nullptr);
    });
    if (auxiliary != nullptr) auxiliary->finish();
    add_up_gradients(pool);
    pool.run(gradients_.all.size(), [&](std::size_t tensor) { unpack_gradient(tensor); });
}

void TransformerNet::add_up_gradients(ThreadPool& pool) {
    const std::span<float> total = slice_gradients_[0].all();
    pool.run(ceil_div(total.size(), kFloatsPerTask), [&](std::size_t task) {
        const std::size_t first = task * kFloatsPerTask;
        const std::size_t count = std::min(kFloatsPerTask, total.size() - first);
        for (std::size_t i = 1; i < slice_gradients_.size(); ++i) {
            add_scaled(1, slice_gradients_[i].all().subspan(first, count), total.data() + first);
        }
    });
}

void TransformerNet::unpack_gradient(std::size_t tensor) {
    Tensor& to = gradients_.all[tensor];
    const float* const from = slice_gradients_[0].at(tensor);
    const bool is_panels = to.shape.size() == 2 && tensor != kEmbedding;
    if (tensor == part_index(size(shape_.layers) - 1, LayerPart::InWeight)) {
        unpack_cls_in_gradient(shape_, from, to.values.data());
    } else if (is_panels) {
        from_panels({from, to.shape[0], to.shape[1]}, to.values.data(), to.shape[1]);
    } else {
        std::copy_n(from, to.values.size(), to.values.data());
    }
}

void TransformerNet::embed(std::span<const std::uint8_t> tokens, ThreadPool& pool,
                           std::span<float> z) {
    packed_.pack_for_embedding(pool);
    const std::size_t count = samples(tokens), dims = size(shape_.dims);
    pool.run(ceil_div(count, kSamplesPerTask), [&](std::size_t task) {
        const Range range{task * kSamplesPerTask, std::min(count, (task + 1) * kSamplesPerTask)};
        TransformerSlice slice(shape_, range.end - range.begin, false);
        slice.forward(packed_, tokens_of(tokens, range), {}, 0,
                      z.subspan(range.begin * dims, (range.end - range.begin) * dims));
    });
}

}  // namespace solis::nn
