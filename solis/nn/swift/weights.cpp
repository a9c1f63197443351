// What a swift network consists of: its sizes, its weights at the start, and how one grows into
// another.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solis/nn/counts.h"
#include "solis/nn/swift/net.h"

namespace solis::nn {
namespace {

// Uniform in [-limit, limit).
void fill_even(Tensor& tensor, float limit, Rng& rng) {
    for (float& value : tensor.values) {
        value = limit * static_cast<float>(2 * rng.unit() - 1);
    }
}

}  // namespace

Result<void> SwiftShape::validate() const {
    const auto check = [](const char* name, int value, int low, int high) -> Result<void> {
        if (value >= low && value <= high) return {};
        return fail(fmt::format("swift: {} is {}, expected {}..{}", name, value, low, high));
    };
    if (auto ok = check("inputs", inputs, 1, 65536); !ok) return ok;
    if (auto ok = check("accumulators", accumulators, 64, 4096); !ok) return ok;
    if (auto ok = check("dims", dims, 8, 1024); !ok) return ok;
    if (auto ok = check("buckets", buckets, 1, 32); !ok) return ok;
    if (auto ok = check("tail", tail, 0, 1024); !ok) return ok;
    if (accumulators % 64 != 0) {
        return fail(
            fmt::format("swift: accumulators is {}, expected a multiple of 64", accumulators));
    }
    if (dims % 8 != 0)
        return fail(fmt::format("swift: dims is {}, expected a multiple of 8", dims));
    if (tail % 16 != 0)
        return fail(fmt::format("swift: tail is {}, expected a multiple of 16", tail));
    return {};
}

std::vector<TensorSpec> SwiftWeights::specs(const SwiftShape& shape) {
    const std::size_t buckets = size(shape.buckets), dims = size(shape.dims);
    std::vector<TensorSpec> all{{"input.weight", {size(shape.inputs), size(shape.accumulators)}},
                                {"input.bias", {size(shape.accumulators)}},
                                {"output.weight", {buckets, shape.hidden(), dims}},
                                {"output.bias", {buckets, dims}}};
    if (shape.tail != 0) {
        all.push_back({"tail.weight", {buckets, dims, size(shape.tail)}});
        all.push_back({"tail.bias", {buckets, size(shape.tail)}});
        all.push_back({"tail.output", {buckets, size(shape.tail), dims}});
    }
    return all;
}

SwiftWeights::SwiftWeights(const SwiftShape& shape) : has_tail(shape.tail != 0) {
    const std::vector<TensorSpec> wanted = specs(shape);
    const std::vector<Tensor*> all = tensors();
    for (std::size_t i = 0; i < all.size(); ++i) *all[i] = Tensor(wanted[i]);
}

void SwiftWeights::randomize(Rng& rng) {
    // About 30 inputs are active, and sums should spread over the clamp's range around its middle.
    fill_even(input_weight, 0.12f, rng);
    std::fill(input_bias.values.begin(), input_bias.values.end(), 0.4f);
    fill_even(output_weight, 1.0f / std::sqrt(static_cast<float>(output_weight.shape[1])), rng);
    fill_even(output_bias, 0.01f, rng);
    if (!has_tail) return;
    // u has length 1, so these sums spread over the clamp's range, too.
    fill_even(tail_weight, 1.0f, rng);
    std::fill(tail_bias.values.begin(), tail_bias.values.end(), 0.4f);
    std::fill(tail_output.values.begin(), tail_output.values.end(), 0.0f);
}

std::vector<Tensor*> SwiftWeights::tensors() {
    std::vector<Tensor*> all{&input_weight, &input_bias, &output_weight, &output_bias};
    if (has_tail) all.insert(all.end(), {&tail_weight, &tail_bias, &tail_output});
    return all;
}
std::vector<const Tensor*> SwiftWeights::tensors() const {
    std::vector<const Tensor*> all{&input_weight, &input_bias, &output_weight, &output_bias};
    if (has_tail) all.insert(all.end(), {&tail_weight, &tail_bias, &tail_output});
    return all;
}

namespace {

// Gives the first accumulators of `large` the weights that `small` has, and mutes the others.
void copy_accumulators(const SwiftShape& small_shape, const SwiftWeights& small,
                       const SwiftShape& large_shape, SwiftWeights& large) {
    const std::size_t from = size(small_shape.accumulators), to = size(large_shape.accumulators);
    for (std::size_t input = 0; input < size(small_shape.inputs); ++input) {
        std::copy_n(small.input_weight.values.begin() + static_cast<std::ptrdiff_t>(input * from),
                    from,
                    large.input_weight.values.begin() + static_cast<std::ptrdiff_t>(input * to));
    }
    std::copy_n(small.input_bias.values.begin(), from, large.input_bias.values.begin());
    // Hidden values are those of the mover's view, then those of the opponent's.
    std::fill(large.output_weight.values.begin(), large.output_weight.values.end(), 0.0f);
    const std::size_t dims = size(large_shape.dims);
    for (std::size_t half = 0; half < 2 * size(large_shape.buckets); ++half) {
        std::copy_n(
            small.output_weight.values.begin() + static_cast<std::ptrdiff_t>(half * from * dims),
            from * dims,
            large.output_weight.values.begin() + static_cast<std::ptrdiff_t>(half * to * dims));
    }
}

}  // namespace

bool grow(const SwiftShape& small_shape, const SwiftWeights& small, const SwiftShape& large_shape,
          SwiftWeights& large) {
    const bool wider = small_shape.accumulators < large_shape.accumulators;
    const bool more_inputs = small_shape.inputs < large_shape.inputs;
    const bool new_tail = small_shape.tail == 0 && large_shape.tail != 0;
    SwiftShape same = small_shape;
    if (wider) same.accumulators = large_shape.accumulators;
    if (more_inputs) same.inputs = large_shape.inputs;
    if (new_tail) same.tail = large_shape.tail;
    if (same != large_shape || !(wider || more_inputs || new_tail) ||
        (wider && large_shape.activation != SwiftActivation::Squared)) {
        return false;
    }
    if (wider) {
        copy_accumulators(small_shape, small, large_shape, large);
    } else {
        std::copy(small.input_weight.values.begin(), small.input_weight.values.end(),
                  large.input_weight.values.begin());
        large.input_bias.values = small.input_bias.values;
        large.output_weight.values = small.output_weight.values;
    }
    const std::size_t known = size(small_shape.inputs) * size(large_shape.accumulators);
    std::fill(large.input_weight.values.begin() + static_cast<std::ptrdiff_t>(known),
              large.input_weight.values.end(), 0.0f);
    large.output_bias.values = small.output_bias.values;
    if (small_shape.tail != 0) {
        large.tail_weight.values = small.tail_weight.values;
        large.tail_bias.values = small.tail_bias.values;
        large.tail_output.values = small.tail_output.values;
    }
    return true;
}

}  // namespace solis::nn
