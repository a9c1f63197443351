// A small dense symmetric matrix and its inverse.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace solis::lab {

class SymmetricMatrix {
  public:
    explicit SymmetricMatrix(std::size_t size = 0) : size_(size), values_(size * size) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
        return values_[i * size_ + j];
    }
    // Adds to (i, j), and to (j, i) where that is another element.
    void add(std::size_t i, std::size_t j, double value);
    [[nodiscard]] std::vector<double> times(std::span<const double> x) const;
    // Value of x' A x.
    [[nodiscard]] double form(std::span<const double> x) const;
    // Nothing if the matrix is not positive definite to working precision.
    [[nodiscard]] std::optional<SymmetricMatrix> inverse() const;

  private:
    std::size_t size_;
    std::vector<double> values_;
};

}  // namespace solis::lab
