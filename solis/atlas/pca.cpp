// Principal components by orthogonal iteration on the covariance matrix.
#include "solis/atlas/pca.h"

#include <algorithm>
#include <cmath>

#include "solis/base/rng.h"
#include "solis/nn/kernels/gemm.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::atlas {
namespace {

constexpr std::size_t kPcaBlock = 4096;  // rows per task and per product in single precision

std::vector<double> row_mean(PointsView points) {
    std::vector<double> mean(points.dims);
    for (std::size_t i = 0; i < points.rows(); ++i) {
        for (std::size_t d = 0; d < points.dims; ++d) {
            mean[d] += static_cast<double>(points.row(i)[d]);
        }
    }
    for (double& value : mean) value /= static_cast<double>(points.rows());
    return mean;
}

// Takes the part along `without`, of length 1, out of a row.
void remove_part(std::span<float> row, std::span<const float> without) {
    if (!without.empty()) nn::add_scaled(-nn::dot(row, without), without, row.data());
}

// dims x dims. Blocks are summed in their order, so threads do not matter.
std::vector<double> covariance(PointsView points, std::span<const double> mean, ThreadPool& pool,
                               std::span<const float> without) {
    const std::size_t dims = points.dims, rows = points.rows();
    std::vector<double> sum(dims * dims);
    const std::size_t blocks = (rows + kPcaBlock - 1) / kPcaBlock, wave = 8;
    std::vector<std::vector<float>> products(std::min(wave, blocks));
    for (std::size_t from = 0; from < blocks; from += wave) {
        const std::size_t count = std::min(wave, blocks - from);
        pool.run(count, [&](std::size_t b) {
            const std::size_t first = (from + b) * kPcaBlock;
            const std::size_t size = std::min(kPcaBlock, rows - first);
            std::vector<float> centered(size * dims);
            for (std::size_t r = 0; r < size; ++r) {
                const std::span<float> row = std::span(centered).subspan(r * dims, dims);
                for (std::size_t d = 0; d < dims; ++d) {
                    const auto value = static_cast<double>(points.row(first + r)[d]);
                    row[d] = static_cast<float>(value - mean[d]);
                }
                remove_part(row, without);
            }
            products[b].resize(dims * dims);
            nn::gemm(dims, dims, size, {centered.data(), dims, true}, {centered.data(), dims},
                     products[b].data(), dims, nn::Into::Overwrite);
        });
        for (std::size_t b = 0; b < count; ++b) {
            for (std::size_t i = 0; i < sum.size(); ++i) {
                sum[i] += static_cast<double>(products[b][i]);
            }
        }
    }
    for (double& value : sum) value /= static_cast<double>(rows);
    return sum;
}

using Vector = std::vector<double>;

double dot_product(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// Gram-Schmidt, twice for accuracy; a vector that vanishes is replaced by a random one.
void orthonormalize(std::vector<Vector>& vectors, Rng& rng) {
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        Vector& v = vectors[i];
        for (int attempt = 0; attempt < 4; ++attempt) {
            const double before = std::sqrt(dot_product(v, v));
            for (int pass = 0; pass < 2; ++pass) {
                for (std::size_t j = 0; j < i; ++j) {
                    const double part = dot_product(v, vectors[j]);
                    for (std::size_t d = 0; d < v.size(); ++d) v[d] -= part * vectors[j][d];
                }
            }
            const double length = std::sqrt(dot_product(v, v));
            if (length > 1e-10 * before && length > 1e-200) {
                for (double& value : v) value /= length;
                break;
            }
            for (double& value : v) value = rng.unit() - 0.5;
        }
    }
}

Vector times(const std::vector<double>& matrix, const Vector& v) {
    Vector result(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        for (std::size_t j = 0; j < v.size(); ++j) result[i] += matrix[i * v.size() + j] * v[j];
    }
    return result;
}

// The strongest eigenvectors. More are iterated than are asked for, which makes it converge sooner.
std::vector<Vector> strongest(const std::vector<double>& matrix, std::size_t dims,
                              std::size_t count) {
    Rng rng(Seed{1});
    std::vector<Vector> vectors(std::min(dims, count + 6), Vector(dims));
    for (Vector& v : vectors) {
        for (double& value : v) value = rng.unit() - 0.5;
    }
    orthonormalize(vectors, rng);
    for (int round = 0; round < 500; ++round) {
        const std::vector<Vector> before = vectors;
        for (Vector& v : vectors) v = times(matrix, v);
        orthonormalize(vectors, rng);
        double turned = 0;
        for (std::size_t i = 0; i < count; ++i) {
            turned = std::max(turned, 1 - std::abs(dot_product(before[i], vectors[i])));
        }
        if (turned < 1e-13) break;
    }
    vectors.resize(count);
    return vectors;
}

std::vector<float> with_fixed_sign(const Vector& v) {
    const auto largest = std::ranges::max_element(
        v, [](double a, double b) { return std::abs(a) < std::abs(b) - 1e-12; });
    const double sign = *largest < 0 ? -1 : 1;
    std::vector<float> direction;
    for (const double value : v) direction.push_back(static_cast<float>(sign * value));
    return direction;
}

}  // namespace

Pca principal_components(PointsView points, std::size_t count, ThreadPool& pool,
                         std::span<const float> without) {
    const std::vector<double> mean = row_mean(points);
    const std::vector<double> matrix = covariance(points, mean, pool, without);
    Pca result;
    result.mean.assign(mean.begin(), mean.end());
    for (std::size_t d = 0; d < points.dims; ++d) {
        result.total_variance += matrix[d * points.dims + d];
    }
    for (const Vector& v : strongest(matrix, points.dims, std::min(count, points.dims))) {
        result.variances.push_back(dot_product(v, times(matrix, v)));
        result.directions.push_back(with_fixed_sign(v));
    }
    return result;
}

Place Projection::operator()(std::span<const float> point) const {
    double x = 0, y = 0;
    for (std::size_t d = 0; d < point.size(); ++d) {
        const double value = static_cast<double>(point[d]) - static_cast<double>(origin[d]);
        x += value * static_cast<double>(x_direction[d]);
        y += value * static_cast<double>(y_direction[d]);
    }
    return {static_cast<float>(x), static_cast<float>(y)};
}

Projection pca_projection(PointsView points, ThreadPool& pool) {
    Pca pca = principal_components(points, 2, pool);
    if (pca.directions.size() < 2) pca.directions.emplace_back(points.dims);
    return {pca.mean, pca.directions[0], pca.directions[1]};
}

Projection axis_projection(PointsView points, std::span<const float> axis, ThreadPool& pool) {
    const Pca pca = principal_components(points, 1, pool, axis);
    Projection projection{pca.mean, {axis.begin(), axis.end()}, pca.directions[0]};
    // In one dimension, or without spread, nothing is orthogonal to the axis.
    remove_part(projection.y_direction, axis);
    remove_part(projection.origin, axis);
    return projection;
}

std::vector<Place> project(PointsView points, const Projection& projection, ThreadPool& pool) {
    std::vector<Place> places(points.rows());
    const std::size_t blocks = (places.size() + kPcaBlock - 1) / kPcaBlock;
    pool.run(blocks, [&](std::size_t block) {
        const std::size_t end = std::min(places.size(), (block + 1) * kPcaBlock);
        for (std::size_t i = block * kPcaBlock; i < end; ++i) places[i] = projection(points.row(i));
    });
    return places;
}

}  // namespace solis::atlas
