// safetensors: u64 length of the header, JSON header, data of the tensors without gaps.
#include "solis/nn/io/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <tuple>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/base/file_window.h"
#include "solis/nn/io/half.h"
#include "solis/nn/io/safetensors_header.h"

namespace solis::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are stored little-endian");

constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);
constexpr std::size_t kMaxHeader = 100'000'000;  // as in the reference implementation
constexpr std::size_t kAlignment = 64;
constexpr const char* kDamagedHint = "the file is cut off, damaged or not a safetensors file";

float float_of_bfloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
float float_of_double(double value) { return static_cast<float>(value); }

template <class Stored, float (*convert)(Stored)>
void convert_all(std::string_view bytes, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        Stored stored;
        std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
        out[i] = convert(stored);
    }
}
void copy_all(std::string_view bytes, std::span<float> out) {
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
}

struct StoredType {
    std::string_view name;
    std::size_t bytes;
    void (*read)(std::string_view bytes, std::span<float> out);
};
constexpr std::array<StoredType, 4> kTypes{{
    {"F32", 4, copy_all},
    {"F16", 2, convert_all<std::uint16_t, float_of_half>},
    {"BF16", 2, convert_all<std::uint16_t, float_of_bfloat>},
    {"F64", 8, convert_all<double, float_of_double>},
}};

// Gives `bytes` bytes of the data from `begin` on, valid until the next call.
using ReadData = std::function<Result<std::string_view>(std::size_t begin, std::size_t bytes)>;

Result<Tensor> read_tensor(const SafetensorsEntry& entry, const ReadData& read_data) {
    const auto* type = std::find_if(kTypes.begin(), kTypes.end(), [&](const StoredType& known) {
        return known.name == entry.dtype;
    });
    if (type == kTypes.end()) {
        return fail(fmt::format("tensor '{}' has type '{}', expected F32, F16, BF16 or F64",
                                entry.name, entry.dtype.substr(0, 16)),
                    "convert it to float32 before saving");
    }
    const auto count = element_count(entry.shape);
    std::size_t bytes = 0;
    if (!count || __builtin_mul_overflow(*count, type->bytes, &bytes)) {
        return fail(fmt::format("tensor '{}' of shape {} is larger than any file", entry.name,
                                shape_text(entry.shape)),
                    kDamagedHint);
    }
    if (bytes != entry.end - entry.begin) {
        return fail(
            fmt::format("tensor '{}' of shape {} and type {} needs {} bytes, found {}", entry.name,
                        shape_text(entry.shape), entry.dtype, bytes, entry.end - entry.begin),
            kDamagedHint);
    }
    const auto data = read_data(entry.begin, bytes);
    if (!data) return tl::unexpected(data.error());
    Tensor tensor(entry.name, entry.shape);
    type->read(*data, tensor.values);
    return tensor;
}

// In order of their data, which must be covered once and completely.
Result<void> check_offsets(std::vector<SafetensorsEntry>& entries, std::size_t data_size) {
    std::sort(entries.begin(), entries.end(),
              [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
                  return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
              });
    std::size_t covered = 0;
    for (const SafetensorsEntry& entry : entries) {
        if (entry.begin > entry.end || entry.end > data_size) {
            return fail(fmt::format("tensor '{}' has data_offsets [{}, {}], the file has {} bytes "
                                    "of data",
                                    entry.name, entry.begin, entry.end, data_size),
                        kDamagedHint);
        }
        if (entry.begin != covered) {
            return fail(fmt::format("tensor '{}' starts at byte {} of the data, expected {}: {}",
                                    entry.name, entry.begin, covered,
                                    entry.begin > covered ? "there is a gap before it"
                                                          : "it overlaps another"),
                        kDamagedHint);
        }
        covered = entry.end;
    }
    if (covered == data_size) return {};
    return fail(fmt::format("tensors cover {} bytes of data, found {}", covered, data_size),
                kDamagedHint);
}

// `rest` is what follows the length of the header.
Result<void> check_header_length(std::uint64_t length, std::uint64_t rest) {
    if (length <= rest && length <= kMaxHeader) return {};
    return fail(fmt::format("safetensors: header of {} bytes, expected at most {}", length,
                            std::min<std::uint64_t>(rest, kMaxHeader)),
                kDamagedHint);
}

Result<void> check_has_length(std::uint64_t size) {
    if (size == 0) return fail("the file is empty", kDamagedHint);
    if (size >= kLengthBytes) return {};
    return fail(fmt::format("safetensors: {} bytes, expected at least {}", size, kLengthBytes),
                kDamagedHint);
}

Result<TensorFile> read_tensors(std::string_view json, std::size_t data_size,
                                const ReadData& read_data) {
    auto header = parse_safetensors_header(json);
    if (!header) return tl::unexpected(header.error());
    if (auto ok = check_offsets(header->entries, data_size); !ok) {
        return tl::unexpected(ok.error());
    }
    TensorFile file;
    file.metadata = std::move(header->metadata);
    for (const SafetensorsEntry& entry : header->entries) {
        auto tensor = read_tensor(entry, read_data);
        if (!tensor) return tl::unexpected(tensor.error());
        file.tensors.push_back(std::move(*tensor));
    }
    return file;
}

// Nothing is read or allocated before the header has shown that the file is what it claims to be.
Result<TensorFile> read_from(FileWindow& file) {
    if (auto ok = check_has_length(file.size()); !ok) return tl::unexpected(ok.error());
    const auto length_bytes = file.view(0, kLengthBytes);
    if (!length_bytes) return tl::unexpected(length_bytes.error());
    std::uint64_t length = 0;
    std::memcpy(&length, length_bytes->data(), kLengthBytes);
    if (auto ok = check_header_length(length, file.size() - kLengthBytes); !ok) {
        return tl::unexpected(ok.error());
    }
    const auto json = file.view(kLengthBytes, length);
    if (!json) return tl::unexpected(json.error());
    const std::uint64_t data_at = kLengthBytes + length;
    return read_tensors(
        std::string(*json), file.size() - data_at,
        [&](std::size_t begin, std::size_t bytes) { return file.view(data_at + begin, bytes); });
}

bool fits_halves(const Tensor& tensor) {
    return tensor.values.size() >= kLargeTensor &&
           std::all_of(tensor.values.begin(), tensor.values.end(),
                       [](float value) { return float_of_half(half_of_float(value)) == value; });
}

void append_halves(std::span<const float> values, std::string& bytes) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + values.size() * sizeof(std::uint16_t));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint16_t half = half_of_float(values[i]);
        std::memcpy(bytes.data() + begin + i * sizeof half, &half, sizeof half);
    }
}

}  // namespace

void round_to_halves(Tensor& tensor) {
    if (tensor.values.size() < kLargeTensor) return;
    for (float& value : tensor.values) {
        const float rounded = float_of_half(half_of_float(value));
        if (std::isfinite(rounded)) value = rounded;
    }
}

const Tensor* TensorFile::find(std::string_view name) const {
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const Tensor& tensor) { return tensor.name == name; });
    return found == tensors.end() ? nullptr : &*found;
}

Result<TensorFile> parse_safetensors(std::string_view bytes) {
    if (auto ok = check_has_length(bytes.size()); !ok) return tl::unexpected(ok.error());
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), kLengthBytes);
    bytes.remove_prefix(kLengthBytes);
    if (auto ok = check_header_length(length, bytes.size()); !ok) {
        return tl::unexpected(ok.error());
    }
    const std::string_view data = bytes.substr(length);
    return read_tensors(
        bytes.substr(0, length), data.size(),
        [&](std::size_t begin, std::size_t size) { return data.substr(begin, size); });
}

Result<TensorFile> read_safetensors(const std::filesystem::path& path) {
    auto window = FileWindow::open(path.string());
    if (!window) return tl::unexpected(window.error());
    auto file = read_from(*window);
    if (!file) return fail_in(path.string(), file.error());
    return file;
}

std::string to_safetensors(const TensorFile& file) {
    SafetensorsHeader header;
    header.metadata = file.metadata;
    std::size_t data_size = 0;
    for (const Tensor& tensor : file.tensors) {
        assert(element_count(tensor.shape) == tensor.values.size());
        const std::size_t begin = data_size;
        const bool halves = fits_halves(tensor);
        data_size += tensor.values.size() * (halves ? sizeof(std::uint16_t) : sizeof(float));
        header.entries.push_back(
            {tensor.name, halves ? "F16" : "F32", tensor.shape, begin, data_size});
    }
    std::string json = to_json(header);
    const std::size_t used = (kLengthBytes + json.size()) % kAlignment;
    if (used != 0) json.append(kAlignment - used, ' ');

    std::string bytes(kLengthBytes, '\0');
    bytes.reserve(kLengthBytes + json.size() + data_size);
    const std::uint64_t length = json.size();
    std::memcpy(bytes.data(), &length, kLengthBytes);
    bytes += json;
    for (std::size_t i = 0; i < file.tensors.size(); ++i) {
        const std::vector<float>& values = file.tensors[i].values;
        if (header.entries[i].dtype == "F16") {
            append_halves(values, bytes);
        } else {
            bytes.append(reinterpret_cast<const char*>(values.data()),
                         values.size() * sizeof(float));
        }
    }
    return bytes;
}

Result<void> write_safetensors(const std::filesystem::path& path, const TensorFile& file,
                               Existing existing) {
    return write_file_atomically(path, to_safetensors(file), existing);
}

}  // namespace solis::nn
