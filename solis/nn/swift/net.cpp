// Swift network: work is split by rows or by columns, never by thread, so that any number of
// threads gives the same bits.
#include "solis/nn/swift/net.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

// Divides rows [begin, end) of y by their lengths. A zero vector has no direction; the floor keeps
// it and its gradient finite.
void normalise_rows(std::span<float> y, std::size_t dims, std::size_t begin, std::size_t end,
                    std::span<float> norms) {
    for (std::size_t row = begin; row < end; ++row) {
        const std::span<float> values = y.subspan(row * dims, dims);
        norms[row] = std::max(std::sqrt(dot(values, values)), 1e-12f);
        for (float& value : values) value /= norms[row];
    }
}

// The gradient of what was normalised to `unit`, given that of `unit`.
void normalise_rows_backward(std::span<const float> unit, std::span<const float> d_unit,
                             std::size_t dims, std::size_t begin, std::size_t end,
                             std::span<const float> norms, std::span<float> d_y) {
    for (std::size_t row = begin; row < end; ++row) {
        const std::size_t first = row * dims;
        const float along = dot(unit.subspan(first, dims), d_unit.subspan(first, dims));
        for (std::size_t i = first; i < first + dims; ++i) {
            d_y[i] = (d_unit[i] - along * unit[i]) / norms[row];
        }
    }
}

void copy_to_rows(std::span<const float> row, std::size_t from, std::size_t to, float* rows) {
    for (std::size_t i = from; i < to; ++i) {
        std::copy(row.begin(), row.end(), rows + i * row.size());
    }
}

// The part of `values` that belongs to one of the buckets it is divided into.
std::span<const float> of_bucket(const Tensor& tensor, std::size_t bucket) {
    const std::size_t size = tensor.values.size() / tensor.shape[0];
    return std::span(tensor.values).subspan(bucket * size, size);
}

}  // namespace

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
    if (shape_.tail != 0) {
        units_.resize(rows * size(shape_.dims));
        tail_clamped_.resize(rows * size(shape_.tail));
        tail_hidden_.resize(rows * size(shape_.tail));
        tail_norms_.resize(rows);
    }
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
        copy_to_rows(of_bucket(weights_.output_bias, bucket), from, to, z.data());
        gemm(to - from, dims, hidden, {hidden_.data() + from * hidden, hidden},
             {of_bucket(weights_.output_weight, bucket).data(), dims}, z.data() + from * dims, dims,
             Into::Add);
    });
    normalise_rows(z, dims, begin, end, norms_);
    if (shape_.tail == 0) return;
    std::copy(z.begin() + static_cast<std::ptrdiff_t>(begin * dims),
              z.begin() + static_cast<std::ptrdiff_t>(end * dims),
              units_.begin() + static_cast<std::ptrdiff_t>(begin * dims));
    for_each_bucket(batch, begin, end, [&](std::size_t bucket, std::size_t from, std::size_t to) {
        forward_tail(bucket, from, to, z);
    });
    normalise_rows(z, dims, begin, end, tail_norms_);
}

// z, which holds u, becomes u + tail(u).
void SwiftNet::forward_tail(std::size_t bucket, std::size_t from, std::size_t to,
                            std::span<float> z) {
    const std::size_t dims = size(shape_.dims), tail = size(shape_.tail), rows = to - from;
    copy_to_rows(of_bucket(weights_.tail_bias, bucket), from, to, tail_clamped_.data());
    const std::span<float> sums = std::span(tail_clamped_).subspan(from * tail, rows * tail);
    gemm(rows, tail, dims, {units_.data() + from * dims, dims},
         {of_bucket(weights_.tail_weight, bucket).data(), tail}, sums.data(), tail, Into::Add);
    clamp_to_unit(sums);
    float* const hidden = tail_hidden_.data() + from * tail;
    square(sums, hidden);
    gemm(rows, dims, tail, {hidden, tail}, {of_bucket(weights_.tail_output, bucket).data(), dims},
         z.data() + from * dims, dims, Into::Add);
}

void SwiftNet::backward(const SparseBatch& batch, std::span<const float> z,
                        std::span<const float> d_z, ThreadPool& pool) {
    const std::size_t rows = batch.size(), width = size(shape_.accumulators);
    d_output_.resize(rows * size(shape_.dims));
    d_hidden_.resize(rows * shape_.hidden());
    d_sums_.resize(rows * 2 * padded(width));
    if (shape_.tail != 0) {
        d_tail_.resize(rows * size(shape_.dims));
        d_units_.resize(rows * size(shape_.dims));
        d_tail_hidden_.resize(rows * size(shape_.tail));
        d_tail_sums_.resize(rows * size(shape_.tail));
    }
    pool.run(ceil_div(rows, kRowsPerTask), [&](std::size_t task) {
        const std::size_t begin = task * kRowsPerTask;
        backward_rows(batch, begin, std::min(rows, begin + kRowsPerTask), z, d_z);
    });
    index_users(batch);
    const std::size_t output_tasks = ceil_div(shape_.hidden(), kColumnsPerTask);
    const std::size_t input_tasks = ceil_div(width, kColumnsPerTask);
    const std::size_t tail_tasks = shape_.tail != 0 ? 1 : 0;
    pool.run(input_tasks + output_tasks + tail_tasks, [&](std::size_t task) {
        if (task < input_tasks) {
            backward_input_slice(task);
        } else if (task < input_tasks + output_tasks) {
            backward_output_slice(batch, task - input_tasks);
        } else {
            backward_tail_weights(batch);
        }
    });
}

void SwiftNet::backward_rows(const SparseBatch& batch, std::size_t begin, std::size_t end,
                             std::span<const float> z, std::span<const float> d_z) {
    const std::size_t width = size(shape_.accumulators), hidden = shape_.hidden();
    const std::size_t dims = size(shape_.dims);
    if (shape_.tail == 0) {
        normalise_rows_backward(z, d_z, dims, begin, end, norms_, d_output_);
    } else {
        normalise_rows_backward(z, d_z, dims, begin, end, tail_norms_, d_tail_);
        for_each_bucket(batch, begin, end,
                        [&](std::size_t bucket, std::size_t from, std::size_t to) {
                            backward_tail(bucket, from, to);
                        });
        normalise_rows_backward(units_, d_units_, dims, begin, end, norms_, d_output_);
    }
    for_each_bucket(batch, begin, end, [&](std::size_t bucket, std::size_t from, std::size_t to) {
        gemm(to - from, hidden, dims, {d_output_.data() + from * dims, dims},
             {of_bucket(weights_.output_weight, bucket).data(), dims, true},
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

// From d_tail_, which is also the gradient of the u that is added to it, to d_units_.
void SwiftNet::backward_tail(std::size_t bucket, std::size_t from, std::size_t to) {
    const std::size_t dims = size(shape_.dims), tail = size(shape_.tail), rows = to - from;
    const float* const d_tail = d_tail_.data() + from * dims;
    float* const d_units = d_units_.data() + from * dims;
    const auto part = [&](std::vector<float>& values) {
        return std::span(values).subspan(from * tail, rows * tail);
    };
    gemm(rows, tail, dims, {d_tail, dims},
         {of_bucket(weights_.tail_output, bucket).data(), dims, true}, part(d_tail_hidden_).data(),
         tail, Into::Overwrite);
    square_backward(part(tail_clamped_), part(d_tail_hidden_), part(d_tail_sums_).data());
    std::copy(d_tail, d_tail + rows * dims, d_units);
    gemm(rows, dims, tail, {part(d_tail_sums_).data(), tail},
         {of_bucket(weights_.tail_weight, bucket).data(), tail, true}, d_units, dims, Into::Add);
}

void SwiftNet::backward_tail_weights(const SparseBatch& batch) {
    const std::size_t dims = size(shape_.dims), tail = size(shape_.tail);
    for (Tensor* tensor :
         {&gradients_.tail_weight, &gradients_.tail_bias, &gradients_.tail_output}) {
        std::fill(tensor->values.begin(), tensor->values.end(), 0.0f);
    }
    for_each_bucket(
        batch, 0, batch.size(), [&](std::size_t bucket, std::size_t from, std::size_t to) {
            const std::size_t matrix = bucket * dims * tail;
            const MatrixView d_sums{d_tail_sums_.data() + from * tail, tail};
            gemm(dims, tail, to - from, {units_.data() + from * dims, dims, true}, d_sums,
                 gradients_.tail_weight.values.data() + matrix, tail, Into::Overwrite);
            gemm(tail, dims, to - from, {tail_hidden_.data() + from * tail, tail, true},
                 {d_tail_.data() + from * dims, dims},
                 gradients_.tail_output.values.data() + matrix, dims, Into::Overwrite);
            for (std::size_t row = from; row < to; ++row) {
                add_scaled(1.0f, std::span(d_tail_sums_).subspan(row * tail, tail),
                           gradients_.tail_bias.values.data() + bucket * tail);
            }
        });
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
