// Named parameters: what a model file holds, an optimiser updates and a checkpoint saves.
#pragma once
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace solis::nn {

// What a tensor is called and how large it is, without its values.
struct TensorSpec {
    std::string name;
    std::vector<std::size_t> shape;  // row-major
};

struct Tensor {
    std::string name;
    std::vector<std::size_t> shape;  // row-major
    std::vector<float> values;

    Tensor() = default;
    Tensor(std::string tensor_name, std::vector<std::size_t> tensor_shape)
        : name(std::move(tensor_name)),
          shape(std::move(tensor_shape)),
          values(std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>())) {
    }
    explicit Tensor(TensorSpec spec) : Tensor(std::move(spec.name), std::move(spec.shape)) {}
};

// Number of elements; nothing where it does not fit (shapes come from files).
[[nodiscard]] std::optional<std::size_t> element_count(std::span<const std::size_t> shape);
// "[2, 3]", for messages.
[[nodiscard]] std::string shape_text(std::span<const std::size_t> shape);

}  // namespace solis::nn
