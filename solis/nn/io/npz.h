// numpy's .npz: named arrays in a zip file.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/output.h"
#include "solis/base/result.h"
#include "solis/nn/io/npy.h"

namespace solis::nn {

struct NamedArray {
    std::string name;  // without ".npy"
    NpyArray array;
};

// Any bytes: entries stored or deflated (numpy.savez and savez_compressed), checked by CRC. No
// encryption, nothing of 4 GB or more.
[[nodiscard]] Result<std::vector<NamedArray>> parse_npz(std::string_view bytes);
// Stored entries; the same input gives the same bytes. Fails above 4 GB. Names must differ.
[[nodiscard]] Result<std::string> to_npz(const std::vector<NamedArray>& arrays);

[[nodiscard]] Result<std::vector<NamedArray>> read_npz(const std::filesystem::path& path);
[[nodiscard]] Result<void> write_npz(const std::filesystem::path& path,
                                     const std::vector<NamedArray>& arrays,
                                     Existing existing = Existing::Replace);

}  // namespace solis::nn
