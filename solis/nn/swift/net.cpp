// Swift network: work is split by rows or by columns, never by thread, so that any number of
// threads gives the same bits.
#include "solis/nn/swift/net.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "solis/nn/counts.h"
#include "solis/nn/kernels/gemm.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::nn {
namespace {

constexpr std::size_t kRowsPerTask = 96;     // a multiple of the matrix kernel's tile
constexpr std::size_t kColumnsPerTask = 64;  // keeps a slice of the input table in the L2 cache

// Slices of rows are read out of order. Rows of a power of two of floats would all compete for the
// same few sets of the cache; an odd number of lines uses all of them.
std::size_t padded(std::size_t width) { return width + 16; }

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
    if (accumulators % 64 != 0) {
        return fail(
            fmt::format("swift: accumulators is {}, expected a multiple of 64", accumulators));
    }
    if (dims % 8 != 0)
        return fail(fmt::format("swift: dims is {}, expected a multiple of 8", dims));
    return {};
}

std::vector<TensorSpec> SwiftWeights::specs(const SwiftShape& shape) {
    return {{"input.weight", {size(shape.inputs), size(shape.accumulators)}},
            {"input.bias", {size(shape.accumulators)}},
            {"output.weight", {size(shape.buckets), shape.hidden(), size(shape.dims)}},
            {"output.bias", {size(shape.buckets), size(shape.dims)}}};
}

SwiftWeights::SwiftWeights(const SwiftShape& shape) {
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
}

std::vector<Tensor*> SwiftWeights::tensors() {
    return {&input_weight, &input_bias, &output_weight, &output_bias};
}
std::vector<const Tensor*> SwiftWeights::tensors() const {
    return {&input_weight, &input_bias, &output_weight, &output_bias};
}

bool widen(const SwiftShape& narrow_shape, const SwiftWeights& narrow, const SwiftShape& wide_shape,
           SwiftWeights& wide) {
    SwiftShape same = narrow_shape;
    same.accumulators = wide_shape.accumulators;
    if (same != wide_shape || wide_shape.activation != SwiftActivation::Squared ||
        narrow_shape.accumulators >= wide_shape.accumulators) {
        return false;
    }
    const std::size_t from = size(narrow_shape.accumulators), to = size(wide_shape.accumulators);
    for (std::size_t input = 0; input < size(wide_shape.inputs); ++input) {
        std::copy_n(narrow.input_weight.values.begin() + static_cast<std::ptrdiff_t>(input * from),
                    from,
                    wide.input_weight.values.begin() + static_cast<std::ptrdiff_t>(input * to));
    }
    std::copy_n(narrow.input_bias.values.begin(), from, wide.input_bias.values.begin());
    // Hidden values are those of the mover's view, then those of the opponent's.
    std::fill(wide.output_weight.values.begin(), wide.output_weight.values.end(), 0.0f);
    const std::size_t dims = size(wide_shape.dims);
    for (std::size_t half = 0; half < 2 * size(wide_shape.buckets); ++half) {
        std::copy_n(
            narrow.output_weight.values.begin() + static_cast<std::ptrdiff_t>(half * from * dims),
            from * dims,
            wide.output_weight.values.begin() + static_cast<std::ptrdiff_t>(half * to * dims));
    }
    wide.output_bias.values = narrow.output_bias.values;
    return true;
}

SwiftNet::SwiftNet(const SwiftShape& shape) : shape_(shape), weights_(shape), gradients_(shape) {}

template <class Part>
void SwiftNet::for_each_bucket(const SparseBatch& batch, std::size_t begin, std::size_t end,
                               Part&& part) const {
    std::size_t first = 0;
    for (std::size_t bucket = 0; bucket < size(shape_.buckets); ++bucket) {
        const std::size_t last = batch.bucket_ends[bucket];
        const std::size_t from = std::max(first, begin), to = std::min(last, end);
        if (from < to) part(bucket, from, to);
        first = last;
    }
}

void SwiftNet::forward(const SparseBatch& batch, ThreadPool& pool, std::span<float> z) {
    const std::size_t rows = batch.size();
    clamped_.resize(rows * 2 * size(shape_.accumulators));
    hidden_.resize(rows * shape_.hidden());
    norms_.resize(rows);
    pool.run(ceil_div(rows, kRowsPerTask), [&](std::size_t task) {
        const std::size_t begin = task * kRowsPerTask;
        forward_rows(batch, begin, std::min(rows, begin + kRowsPerTask), z);
    });
}

void SwiftNet::forward_rows(const SparseBatch& batch, std::size_t begin, std::size_t end,
                            std::span<float> z) {
    const std::size_t width = size(shape_.accumulators), hidden = shape_.hidden();
    const std::size_t dims = size(shape_.dims);
    for (std::size_t row = begin; row < end; ++row) {
        for (std::size_t view = 0; view < 2; ++view) {
            const std::span<float> sums =
                std::span(clamped_).subspan((2 * row + view) * width, width);
            sum_rows(weights_.input_weight.values.data(), width, batch.view(row, view),
                     weights_.input_bias.values.data(), width, sums.data());
            clamp_to_unit(sums);
            float* const out = hidden_.data() + row * hidden + view * (hidden / 2);
            if (shape_.activation == SwiftActivation::Squared) {
                square(sums, out);
            } else {
                multiply_pairs(sums, out);
            }
        }
    }
    for_each_bucket(batch, begin, end, [&](std::size_t bucket, std::size_t from, std::size_t to) {
        const float* const bias = weights_.output_bias.values.data() + bucket * dims;
        for (std::size_t row = from; row < to; ++row) {
            std::copy(bias, bias + dims, z.data() + row * dims);
        }
        const float* const weight = weights_.output_weight.values.data() + bucket * hidden * dims;
        gemm(to - from, dims, hidden, {hidden_.data() + from * hidden, hidden}, {weight, dims},
             z.data() + from * dims, dims, Into::Add);
    });
    for (std::size_t row = begin; row < end; ++row) {
        const std::span<float> y = z.subspan(row * dims, dims);
        // A zero vector has no direction; the floor keeps it and its gradient finite.
        norms_[row] = std::max(std::sqrt(dot(y, y)), 1e-12f);
        for (float& value : y) value /= norms_[row];
    }
}

void SwiftNet::backward(const SparseBatch& batch, std::span<const float> z,
                        std::span<const float> d_z, ThreadPool& pool) {
    const std::size_t rows = batch.size(), width = size(shape_.accumulators);
    d_output_.resize(rows * size(shape_.dims));
    d_hidden_.resize(rows * shape_.hidden());
    d_sums_.resize(rows * 2 * padded(width));
    pool.run(ceil_div(rows, kRowsPerTask), [&](std::size_t task) {
        const std::size_t begin = task * kRowsPerTask;
        backward_rows(batch, begin, std::min(rows, begin + kRowsPerTask), z, d_z);
    });
    index_users(batch);
    const std::size_t output_tasks = ceil_div(shape_.hidden(), kColumnsPerTask);
    const std::size_t input_tasks = ceil_div(width, kColumnsPerTask);
    pool.run(output_tasks + input_tasks, [&](std::size_t task) {
        if (task < input_tasks) {
            backward_input_slice(task);
        } else {
            backward_output_slice(batch, task - input_tasks);
        }
    });
}

void SwiftNet::backward_rows(const SparseBatch& batch, std::size_t begin, std::size_t end,
                             std::span<const float> z, std::span<const float> d_z) {
    const std::size_t width = size(shape_.accumulators), hidden = shape_.hidden();
    const std::size_t dims = size(shape_.dims);
    for (std::size_t row = begin; row < end; ++row) {
        const std::span<const float> unit = z.subspan(row * dims, dims);
        const std::span<const float> d_unit = d_z.subspan(row * dims, dims);
        const float along = dot(unit, d_unit);
        for (std::size_t i = 0; i < dims; ++i) {
            d_output_[row * dims + i] = (d_unit[i] - along * unit[i]) / norms_[row];
        }
    }
    for_each_bucket(batch, begin, end, [&](std::size_t bucket, std::size_t from, std::size_t to) {
        const float* const weight = weights_.output_weight.values.data() + bucket * hidden * dims;
        gemm(to - from, hidden, dims, {d_output_.data() + from * dims, dims}, {weight, dims, true},
             d_hidden_.data() + from * hidden, hidden, Into::Overwrite);
    });
    for (std::size_t at = 2 * begin; at < 2 * end; ++at) {
        const std::span<const float> clamped = std::span(clamped_).subspan(at * width, width);
        const std::span<const float> d_out =
            std::span(d_hidden_).subspan(at * (hidden / 2), hidden / 2);
        float* const d_sums = d_sums_.data() + at * padded(width);
        if (shape_.activation == SwiftActivation::Squared) {
            square_backward(clamped, d_out, d_sums);
        } else {
            multiply_pairs_backward(clamped, d_out, d_sums);
        }
    }
}

void SwiftNet::backward_output_slice(const SparseBatch& batch, std::size_t slice) {
    const std::size_t hidden = shape_.hidden(), dims = size(shape_.dims);
    const std::size_t first = slice * kColumnsPerTask;
    const std::size_t count = std::min(kColumnsPerTask, hidden - first);
    std::vector<float>& d_weight = gradients_.output_weight.values;
    for (std::size_t bucket = 0; bucket < size(shape_.buckets); ++bucket) {
        float* const to = d_weight.data() + (bucket * hidden + first) * dims;
        std::fill(to, to + count * dims, 0.0f);
    }
    for_each_bucket(
        batch, 0, batch.size(), [&](std::size_t bucket, std::size_t from, std::size_t to) {
            gemm(count, dims, to - from, {hidden_.data() + from * hidden + first, hidden, true},
                 {d_output_.data() + from * dims, dims},
                 d_weight.data() + (bucket * hidden + first) * dims, dims, Into::Overwrite);
        });
    if (slice != 0) return;
    std::vector<float>& d_bias = gradients_.output_bias.values;
    std::fill(d_bias.begin(), d_bias.end(), 0.0f);
    for_each_bucket(batch, 0, batch.size(),
                    [&](std::size_t bucket, std::size_t from, std::size_t to) {
                        for (std::size_t row = from; row < to; ++row) {
                            add_scaled(1.0f, std::span(d_output_).subspan(row * dims, dims),
                                       d_bias.data() + bucket * dims);
                        }
                    });
}

void SwiftNet::index_users(const SparseBatch& batch) {
    user_ends_.assign(size(shape_.inputs) + 1, 0);
    const std::size_t views = 2 * batch.size();
    for (std::size_t at = 0; at < views; ++at) {
        for (const std::uint16_t input : batch.view(at / 2, at % 2)) ++user_ends_[input + 1u];
    }
    std::partial_sum(user_ends_.begin(), user_ends_.end(), user_ends_.begin());
    users_.resize(user_ends_.back());
    // Each input's end starts as its beginning and moves as users come in.
    for (std::size_t at = 0; at < views; ++at) {
        for (const std::uint16_t input : batch.view(at / 2, at % 2)) {
            users_[user_ends_[input]++] = static_cast<std::uint32_t>(at);
        }
    }
    user_ends_.pop_back();
}

void SwiftNet::backward_input_slice(std::size_t slice) {
    const std::size_t width = size(shape_.accumulators);
    const std::size_t first = slice * kColumnsPerTask;
    const std::size_t count = std::min(kColumnsPerTask, width - first);
    const float* const d_sums = d_sums_.data() + first;
    float* const table = gradients_.input_weight.values.data() + first;
    float* const bias = gradients_.input_bias.values.data() + first;
    const std::array<float, kColumnsPerTask> zeros{};
    std::size_t begin = 0;
    for (std::size_t input = 0; input < size(shape_.inputs); ++input) {
        const std::size_t end = user_ends_[input];
        sum_rows(d_sums, padded(width),
                 std::span<const std::uint32_t>(users_).subspan(begin, end - begin), zeros.data(),
                 count, table + input * width);
        begin = end;
    }
    std::fill(bias, bias + count, 0.0f);
    for (std::size_t at = 0; at < d_sums_.size(); at += padded(width)) {
        add_scaled(1.0f, {d_sums + at, count}, bias);
    }
}

}  // namespace solis::nn
