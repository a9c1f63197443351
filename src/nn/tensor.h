// Named parameters: what a model file holds, an optimiser updates and a checkpoint saves.
#pragma once
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace solis::nn {

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
};

}  // namespace solis::nn
