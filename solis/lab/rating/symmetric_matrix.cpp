// A small dense symmetric matrix and its inverse.
#include "solis/lab/rating/symmetric_matrix.h"

#include <cmath>

namespace solis::lab {
namespace {

// Lower triangle L of A = L L', row by row; nothing if a pivot vanishes.
std::optional<std::vector<double>> cholesky(const SymmetricMatrix& matrix) {
    const std::size_t n = matrix.size();
    std::vector<double> lower(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix(i, j);
            for (std::size_t k = 0; k < j; ++k) sum -= lower[i * n + k] * lower[j * n + k];
            if (i != j) {
                lower[i * n + j] = sum / lower[j * n + j];
            } else if (sum > 1e-13 * matrix(i, i)) {
                lower[i * n + i] = std::sqrt(sum);
            } else {
                return std::nullopt;
            }
        }
    }
    return lower;
}

// Solves L L' x = b in place.
void solve(const std::vector<double>& lower, std::span<double> x) {
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= lower[i * n + k] * x[k];
        x[i] /= lower[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) x[i] -= lower[k * n + i] * x[k];
        x[i] /= lower[i * n + i];
    }
}

}  // namespace

void SymmetricMatrix::add(std::size_t i, std::size_t j, double value) {
    values_[i * size_ + j] += value;
    if (i != j) values_[j * size_ + i] += value;
}

std::vector<double> SymmetricMatrix::times(std::span<const double> x) const {
    std::vector<double> product(size_);
    for (std::size_t i = 0; i < size_; ++i) {
        for (std::size_t j = 0; j < size_; ++j) product[i] += (*this)(i, j) * x[j];
    }
    return product;
}

double SymmetricMatrix::form(std::span<const double> x) const {
    const std::vector<double> product = times(x);
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += x[i] * product[i];
    return sum;
}

std::optional<SymmetricMatrix> SymmetricMatrix::inverse() const {
    const auto lower = cholesky(*this);
    if (!lower) return std::nullopt;
    SymmetricMatrix result(size_);
    for (std::size_t column = 0; column < size_; ++column) {
        std::vector<double> x(size_);
        x[column] = 1;
        solve(*lower, x);
        for (std::size_t i = column; i < size_; ++i) result.add(i, column, x[i]);
    }
    return result;
}

}  // namespace solis::lab
