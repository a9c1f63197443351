// numpy's .npy: one array of floats, integers or text.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "solis/base/result.h"
#include "solis/nn/tensor.h"

namespace solis::nn {

struct NpyArray {
    std::vector<std::size_t> shape;  // row-major
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                 std::vector<std::int64_t>, std::vector<std::string>>
        values;

    [[nodiscard]] std::size_t size() const;  // number of values
    friend bool operator==(const NpyArray&, const NpyArray&) = default;
};

[[nodiscard]] NpyArray to_array(Tensor tensor);
// float64 becomes float; integers and text are refused.
[[nodiscard]] Result<Tensor> to_tensor(std::string name, NpyArray array);

// Any bytes. Takes format versions 1 to 3, little-endian and row-major; the error says what was
// found and how to save it otherwise.
[[nodiscard]] Result<NpyArray> parse_npy(std::string_view bytes);
// Version 1.0, data aligned to 64 bytes. The shape must agree with the number of values.
[[nodiscard]] std::string to_npy(const NpyArray& array);

[[nodiscard]] Result<NpyArray> read_npy(const std::filesystem::path& path);
[[nodiscard]] Result<void> write_npy(const std::filesystem::path& path, const NpyArray& array);

}  // namespace solis::nn
