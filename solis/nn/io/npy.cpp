// .npy: magic, version, length of the header, a Python dictionary as header, raw data.
#include "solis/nn/io/npy.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solis/base/byte_source.h"
#include "solis/base/file.h"
#include "solis/nn/io/npy_text.h"

namespace solis::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are stored little-endian");

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kHeaderAlignment = 64;
constexpr std::size_t kNumpyDimensions = 32;  // numpy's own limit
constexpr const char* kArrayHint = "the file is cut off, damaged or not a numpy array";

template <class T>
constexpr std::string_view kDescr;
template <>
constexpr std::string_view kDescr<float> = "<f4";
template <>
constexpr std::string_view kDescr<double> = "<f8";
template <>
constexpr std::string_view kDescr<std::int32_t> = "<i4";
template <>
constexpr std::string_view kDescr<std::int64_t> = "<i8";

struct Header {
    std::optional<std::string_view> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::size_t>> shape;
};

// Reads the dictionary; every function returns false (or nothing) where the text differs.
class DictReader {
  public:
    explicit DictReader(std::string_view text) : rest_(text) {}

    [[nodiscard]] std::optional<Header> read() {
        Header header;
        if (!take("{")) return std::nullopt;
        while (!take("}")) {
            if (!field(header)) return std::nullopt;
            if (take(",")) continue;
            if (take("}")) break;
            return std::nullopt;
        }
        skip_space();
        if (!rest_.empty() || !header.descr || !header.fortran_order || !header.shape) {
            return std::nullopt;
        }
        return header;
    }

  private:
    void skip_space() {
        const std::size_t n = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(std::min(n, rest_.size()));
    }
    bool take(std::string_view token) {
        skip_space();
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    std::optional<std::string_view> quoted() {
        skip_space();
        if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
        const std::size_t end = rest_.find(rest_[0], 1);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view text = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool field(Header& header) {
        const auto key = quoted();
        if (!key || !take(":")) return false;
        if (*key == "descr" && !header.descr) return (header.descr = quoted()).has_value();
        if (*key == "fortran_order" && !header.fortran_order) {
            header.fortran_order = take("True");
            return *header.fortran_order || take("False");
        }
        if (*key == "shape" && !header.shape) return (header.shape = tuple()).has_value();
        return false;
    }
    std::optional<std::vector<std::size_t>> tuple() {
        std::vector<std::size_t> sizes;
        if (!take("(")) return std::nullopt;
        while (!take(")")) {
            skip_space();
            std::size_t value = 0;
            const auto [end, status] =
                std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
            if (status != std::errc{} || sizes.size() == kNumpyDimensions) return std::nullopt;
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            sizes.push_back(value);
            if (take(",")) continue;
            if (take(")")) break;
            return std::nullopt;
        }
        return sizes;
    }

    std::string_view rest_;
};

// Removes the header from the front of `bytes`.
Result<Header> take_header(std::string_view& bytes) {
    const std::size_t prefix = kMagic.size() + 2;
    if (!bytes.starts_with(kMagic) || bytes.size() < prefix) {
        return fail("npy: the magic bytes '\\x93NUMPY' are missing", kArrayHint);
    }
    const int version = bytes[kMagic.size()];
    if (version < 1 || version > 3) {
        return fail(fmt::format("npy: format version {}, expected 1, 2 or 3", version), kArrayHint);
    }
    bytes.remove_prefix(prefix);
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    std::uint32_t length = 0;
    if (bytes.size() >= length_bytes) std::memcpy(&length, bytes.data(), length_bytes);
    if (bytes.size() < length_bytes || bytes.size() - length_bytes < length) {
        return fail("npy: the header is cut off", kArrayHint);
    }
    const auto header = DictReader(bytes.substr(length_bytes, length)).read();
    if (!header) {
        return fail("npy: the header is not a dictionary of descr, fortran_order and shape",
                    kArrayHint);
    }
    bytes.remove_prefix(length_bytes + length);
    return *header;
}

template <class T>
Result<NpyArray> read_values(std::vector<std::size_t> shape, std::string_view data) {
    const auto count = element_count(shape);
    std::size_t bytes = 0;
    if (!count || __builtin_mul_overflow(*count, sizeof(T), &bytes) || bytes != data.size()) {
        return fail(fmt::format("npy: shape {} of type {} does not fit {} bytes of data",
                                shape_text(shape), kDescr<T>, data.size()),
                    kArrayHint);
    }
    std::vector<T> values(*count);
    if (bytes != 0) std::memcpy(values.data(), data.data(), bytes);
    return NpyArray{std::move(shape), std::move(values)};
}

Result<NpyArray> read_text(std::string_view descr, std::vector<std::size_t> shape,
                           std::string_view data) {
    const auto count = element_count(shape);
    if (!count) return fail(fmt::format("npy: shape {} is too large", shape_text(shape)));
    auto strings = decode_text(descr, *count, data);
    if (!strings) return tl::unexpected(strings.error());
    return NpyArray{std::move(shape), std::move(*strings)};
}

std::string header_text(std::string_view descr, std::span<const std::size_t> shape) {
    // A tuple of one needs its comma.
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   descr, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    const std::size_t before = kMagic.size() + 2 + sizeof(std::uint16_t);
    const std::size_t used = (before + text.size() + 1) % kHeaderAlignment;
    if (used != 0) text.append(kHeaderAlignment - used, ' ');
    return text + '\n';
}

}  // namespace

std::size_t NpyArray::size() const {
    return std::visit([](const auto& list) { return list.size(); }, values);
}

NpyArray to_array(Tensor tensor) { return {std::move(tensor.shape), std::move(tensor.values)}; }

Result<Tensor> to_tensor(std::string name, NpyArray array) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.shape = std::move(array.shape);
    if (auto* floats = std::get_if<std::vector<float>>(&array.values)) {
        tensor.values = std::move(*floats);
    } else if (const auto* doubles = std::get_if<std::vector<double>>(&array.values)) {
        for (const double value : *doubles) tensor.values.push_back(static_cast<float>(value));
    } else {
        return fail(
            fmt::format("array '{}' holds no numbers with a point, expected float32", tensor.name),
            "save it with .astype(numpy.float32)");
    }
    return tensor;
}

Result<NpyArray> parse_npy(std::string_view bytes) {
    auto header = take_header(bytes);
    if (!header) return tl::unexpected(header.error());
    if (*header->fortran_order) {
        return fail("npy: the array is stored column by column, expected row by row",
                    "save numpy.ascontiguousarray(array)");
    }
    auto& shape = *header->shape;
    if (header->descr == kDescr<float>) return read_values<float>(std::move(shape), bytes);
    if (header->descr == kDescr<double>) return read_values<double>(std::move(shape), bytes);
    if (header->descr == kDescr<std::int32_t>) {
        return read_values<std::int32_t>(std::move(shape), bytes);
    }
    if (header->descr == kDescr<std::int64_t>) {
        return read_values<std::int64_t>(std::move(shape), bytes);
    }
    if (header->descr->starts_with("<U")) return read_text(*header->descr, std::move(shape), bytes);
    return fail(fmt::format("npy: type '{}', expected <f4, <f8, <i4, <i8 or <U",
                            header->descr->substr(0, 16)),
                "save it with .astype(numpy.float32)");
}

std::string to_npy(const NpyArray& array) {
    assert(element_count(array.shape) == array.size());
    const auto file = [&](std::string_view descr, std::string_view data) {
        const std::string header = header_text(descr, array.shape);
        const auto length = static_cast<std::uint16_t>(header.size());
        std::string bytes(kMagic);
        bytes += '\x01';
        bytes += '\x00';
        bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
        return bytes.append(header).append(data);
    };
    return std::visit(
        [&](const auto& list) {
            using Value = typename std::decay_t<decltype(list)>::value_type;
            if constexpr (std::is_same_v<Value, std::string>) {
                return file(text_descr(list), encode_text(list));
            } else {
                const char* const data = reinterpret_cast<const char*>(list.data());
                return file(kDescr<Value>, {data, list.size() * sizeof(Value)});
            }
        },
        array.values);
}

Result<NpyArray> read_npy(const std::filesystem::path& path) {
    const auto bytes = read_regular_file(path.string());
    if (!bytes) return tl::unexpected(bytes.error());
    auto array = parse_npy(*bytes);
    if (!array) return fail_in(path.string(), array.error());
    return array;
}

Result<void> write_npy(const std::filesystem::path& path, const NpyArray& array) {
    return write_file_atomically(path, to_npy(array));
}

}  // namespace solis::nn
