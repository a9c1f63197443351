// safetensors files: named float tensors and a map of strings.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/output.h"
#include "solis/base/result.h"
#include "solis/nn/tensor.h"

namespace solis::nn {

struct TensorFile {
    std::vector<Tensor> tensors;
    std::map<std::string, std::string> metadata;

    // Nothing where no tensor has that name.
    [[nodiscard]] const Tensor* find(std::string_view name) const;
};

// Any bytes, trusted or not. F16, BF16 and F64 become float; other types are refused. Values may
// be NaN or infinite: whether that is an error is the caller's decision. Tensors come in the
// order of their data.
[[nodiscard]] Result<TensorFile> parse_safetensors(std::string_view bytes);
// The error names the path. A zstd-compressed file is decompressed on the way.
[[nodiscard]] Result<TensorFile> read_safetensors(const std::filesystem::path& path);

// Tensors of so many values or more are written as F16 where that keeps every value as it is.
inline constexpr std::size_t kLargeTensor = 16384;
// Makes a large tensor one of those, as far as its values are within the range of 16-bit floats.
void round_to_halves(Tensor& tensor);

// The same input gives the same bytes: tensors in the order given, as F32 but for the large ones
// above, metadata sorted, data aligned to 64 bytes. Names must differ. Text that is not UTF-8 gets
// U+FFFD in place of the wrong bytes.
[[nodiscard]] std::string to_safetensors(const TensorFile& file);
[[nodiscard]] Result<void> write_safetensors(const std::filesystem::path& path,
                                             const TensorFile& file,
                                             Existing existing = Existing::Replace);

}  // namespace solis::nn
