// Binary files with a name for their kind, a version and a checksum over all of it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "solis/base/bytes.h"
#include "solis/base/result.h"

namespace solis::atlas {

// What a file starts with; `kind` has 8 characters.
struct SealedKind {
    std::string_view kind;
    std::uint32_t version = 1;
    std::string_view description;  // for messages: "map file"
};

// kind, version, length of the payload, payload, XXH3 of all before. Little-endian throughout.
[[nodiscard]] std::string seal(const SealedKind& kind, ByteView payload);
// The payload, inside `file`. Any bytes: says whether they are of another kind or version, cut off
// or damaged.
[[nodiscard]] Result<ByteView> unseal(const SealedKind& kind, std::string_view file);

// 16 hexadecimal digits that tell contents apart: XXH3 of the bytes.
[[nodiscard]] std::string hash_text(std::string_view bytes);

// Arrays of numbers as little-endian bytes.
void append_array(Bytes& out, std::span<const float> values);
void append_array(Bytes& out, std::span<const std::uint32_t> values);
// Reads `count` of them; false, and nothing allocated, where fewer are left.
[[nodiscard]] bool read_array(ByteReader& in, std::uint64_t count, std::vector<float>& out);
[[nodiscard]] bool read_array(ByteReader& in, std::uint64_t count, std::vector<std::uint32_t>& out);
// Text with its length before it; at most `most` bytes.
void append_text(Bytes& out, std::string_view text);
[[nodiscard]] bool read_text(ByteReader& in, std::size_t most, std::string& out);

}  // namespace solis::atlas
