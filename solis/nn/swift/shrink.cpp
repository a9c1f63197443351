// Principal directions of small matrices, and projecting the layers of a swift network on them.
#include "solis/nn/swift/shrink.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "solis/nn/counts.h"

namespace solis::nn {
namespace {

// A square matrix, row by row.
struct Square {
    std::size_t size;
    std::vector<double> values;

    explicit Square(std::size_t n) : size(n), values(n * n) {}
    [[nodiscard]] double& at(std::size_t i, std::size_t j) { return values[i * size + j]; }
    [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values[i * size + j]; }
};

constexpr int kMostSweeps = 60;

// Turns the rows and columns p and q of a symmetric matrix so that its value at (p, q) becomes 0,
// and the columns of `vectors` with them.
void rotate(Square& matrix, Square& vectors, std::size_t p, std::size_t q) {
    const double apart = (matrix.at(q, q) - matrix.at(p, p)) / (2 * matrix.at(p, q));
    const double tangent = std::copysign(1.0, apart) / (std::abs(apart) + std::hypot(1.0, apart));
    const double cosine = 1 / std::hypot(1.0, tangent), sine = tangent * cosine;
    const auto turn = [&](double& a, double& b) {
        const double before = a;
        a = cosine * before - sine * b;
        b = sine * before + cosine * b;
    };
    for (std::size_t k = 0; k < matrix.size; ++k) turn(matrix.at(k, p), matrix.at(k, q));
    for (std::size_t k = 0; k < matrix.size; ++k) turn(matrix.at(p, k), matrix.at(q, k));
    for (std::size_t k = 0; k < matrix.size; ++k) turn(vectors.at(k, p), vectors.at(k, q));
}

// Jacobi's method: the symmetric matrix becomes diagonal, with its eigenvalues; returns the
// eigenvectors as columns.
Square diagonalise(Square& matrix) {
    Square vectors(matrix.size);
    for (std::size_t i = 0; i < matrix.size; ++i) vectors.at(i, i) = 1;
    double all = 0;
    for (const double value : matrix.values) all += value * value;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double beside = 0;
        for (std::size_t p = 0; p < matrix.size; ++p) {
            for (std::size_t q = p + 1; q < matrix.size; ++q) {
                beside += matrix.at(p, q) * matrix.at(p, q);
                if (std::abs(matrix.at(p, q)) > 1e-300) rotate(matrix, vectors, p, q);
            }
        }
        if (beside <= 1e-24 * all) break;
    }
    return vectors;
}

constexpr std::size_t kLandmarkDims = 2;

// How strongly each pair of dimensions is used together, over all buckets.
Square usage(const SwiftShape& shape, const SwiftWeights& weights) {
    const std::size_t dims = size(shape.dims);
    Square sum(dims);
    const auto add = [&](std::span<const float> values, std::size_t of_dim, std::size_t step,
                         std::size_t count) {
        for (std::size_t i = 0; i < dims; ++i) {
            for (std::size_t j = 0; j < dims; ++j) {
                for (std::size_t k = 0; k < count; ++k) {
                    sum.at(i, j) += static_cast<double>(values[i * of_dim + k * step]) *
                                    static_cast<double>(values[j * of_dim + k * step]);
                }
            }
        }
    };
    for (std::size_t bucket = 0; bucket < size(shape.buckets); ++bucket) {
        if (shape.tail != 0) {
            const std::size_t tail = size(shape.tail);
            add(std::span(weights.tail_weight.values).subspan(bucket * dims * tail, dims * tail),
                tail, 1, tail);
        } else {
            const std::size_t matrix = shape.hidden() * dims;
            add(std::span(weights.output_weight.values).subspan(bucket * matrix, matrix), 1, dims,
                shape.hidden());
        }
    }
    return sum;
}

// [dims][kept], with orthogonal columns of length 1.
std::vector<double> most_used(const Square& usage, std::size_t kept) {
    const std::size_t dims = usage.size, first = std::min(kLandmarkDims, kept);
    Square rest(dims - first);
    for (std::size_t i = 0; i < rest.size; ++i) {
        for (std::size_t j = 0; j < rest.size; ++j) {
            rest.at(i, j) = usage.at(first + i, first + j);
        }
    }
    const Square vectors = diagonalise(rest);
    std::vector<std::size_t> order(rest.size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rest.at(a, a) > rest.at(b, b); });
    std::vector<double> basis(dims * kept);
    for (std::size_t j = 0; j < first; ++j) basis[j * kept + j] = 1;
    for (std::size_t j = first; j < kept; ++j) {
        for (std::size_t i = 0; i < rest.size; ++i) {
            basis[(first + i) * kept + j] = vectors.at(i, order[j - first]);
        }
    }
    return basis;
}

// Rows of `dims` values become rows of `kept`: from [rows][dims] to [rows][kept].
void project_rows(std::span<const float> from, std::span<const double> basis, std::size_t kept,
                  std::span<float> to) {
    const std::size_t dims = basis.size() / kept;
    for (std::size_t row = 0; row < to.size() / kept; ++row) {
        for (std::size_t j = 0; j < kept; ++j) {
            double sum = 0;
            for (std::size_t i = 0; i < dims; ++i) {
                sum += static_cast<double>(from[row * dims + i]) * basis[i * kept + j];
            }
            to[row * kept + j] = static_cast<float>(sum);
        }
    }
}

// [dims][columns] becomes [kept][columns].
void project_columns(std::span<const float> from, std::span<const double> basis, std::size_t kept,
                     std::span<float> to) {
    const std::size_t dims = basis.size() / kept, columns = to.size() / kept;
    for (std::size_t j = 0; j < kept; ++j) {
        for (std::size_t column = 0; column < columns; ++column) {
            double sum = 0;
            for (std::size_t i = 0; i < dims; ++i) {
                sum += static_cast<double>(from[i * columns + column]) * basis[i * kept + j];
            }
            to[j * columns + column] = static_cast<float>(sum);
        }
    }
}

}  // namespace

bool shrink(const SwiftShape& large_shape, const SwiftWeights& large, const SwiftShape& small_shape,
            SwiftWeights& small) {
    SwiftShape same = large_shape;
    same.dims = small_shape.dims;
    if (same != small_shape || small_shape.dims >= large_shape.dims) return false;
    const std::size_t kept = size(small_shape.dims);
    const std::vector<double> basis = most_used(usage(large_shape, large), kept);
    small.input_weight.values = large.input_weight.values;
    small.input_bias.values = large.input_bias.values;
    project_rows(large.output_weight.values, basis, kept, small.output_weight.values);
    project_rows(large.output_bias.values, basis, kept, small.output_bias.values);
    if (small_shape.tail == 0) return true;
    const std::size_t dims = size(large_shape.dims), tail = size(small_shape.tail);
    for (std::size_t bucket = 0; bucket < size(small_shape.buckets); ++bucket) {
        project_columns(
            std::span(large.tail_weight.values).subspan(bucket * dims * tail, dims * tail), basis,
            kept, std::span(small.tail_weight.values).subspan(bucket * kept * tail, kept * tail));
    }
    small.tail_bias.values = large.tail_bias.values;
    project_rows(large.tail_output.values, basis, kept, small.tail_output.values);
    return true;
}

}  // namespace solis::nn
