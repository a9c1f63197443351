// Sealing, unsealing, and arrays inside.
#include "solis/atlas/file/sealed_file.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>
#include <xxhash.h>

namespace solis::atlas {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are copied as they are");

constexpr std::size_t kHeader = 8 + 4 + 8;
constexpr std::size_t kChecksum = 8;

template <class T>
void append_values(Bytes& out, std::span<const T> values) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(values.data());
    out.insert(out.end(), first, first + values.size_bytes());
}

template <class T>
bool read_values(ByteReader& in, std::uint64_t count, std::vector<T>& out) {
    if (count > in.remaining() / sizeof(T)) return false;
    const ByteView bytes = in.bytes(static_cast<std::size_t>(count) * sizeof(T));
    out.resize(static_cast<std::size_t>(count));
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return true;
}

}  // namespace

std::string seal(const SealedKind& kind, ByteView payload) {
    Bytes header;
    append_little_endian(header, kind.version);
    append_little_endian(header, static_cast<std::uint64_t>(payload.size()));
    std::string file(kind.kind);
    file.reserve(kHeader + payload.size() + kChecksum);
    file += as_text(header);
    file += as_text(payload);
    Bytes checksum;
    append_little_endian(checksum,
                         static_cast<std::uint64_t>(XXH3_64bits(file.data(), file.size())));
    return file += as_text(checksum);
}

Result<ByteView> unseal(const SealedKind& kind, std::string_view file) {
    if (!file.starts_with(kind.kind)) {
        return fail(fmt::format("this is no {}", kind.description));
    }
    ByteReader in(as_bytes(file).subspan(kind.kind.size()));
    const auto version = in.number<std::uint32_t>();
    const auto size = in.number<std::uint64_t>();
    if (in.ok() && version != kind.version) {
        return fail(fmt::format("the {} has version {}, this program reads version {}",
                                kind.description, version, kind.version));
    }
    if (!in.ok() || in.remaining() < kChecksum || in.remaining() - kChecksum != size) {
        return fail(fmt::format("the {} is cut off or has something appended", kind.description),
                    "make it again");
    }
    const ByteView payload = in.bytes(static_cast<std::size_t>(size));
    if (in.number<std::uint64_t>() != XXH3_64bits(file.data(), file.size() - kChecksum)) {
        return fail(fmt::format("the {} is damaged: its checksum is wrong", kind.description),
                    "make it again");
    }
    return payload;
}

std::string hash_text(std::string_view bytes) {
    return fmt::format("{:016x}",
                       static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
}

void append_array(Bytes& out, std::span<const float> values) { append_values(out, values); }
void append_array(Bytes& out, std::span<const std::uint32_t> values) { append_values(out, values); }
bool read_array(ByteReader& in, std::uint64_t count, std::vector<float>& out) {
    return read_values(in, count, out);
}
bool read_array(ByteReader& in, std::uint64_t count, std::vector<std::uint32_t>& out) {
    return read_values(in, count, out);
}

void append_text(Bytes& out, std::string_view text) {
    append_varint(out, text.size());
    const ByteView bytes = as_bytes(text);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

bool read_text(ByteReader& in, std::size_t most, std::string& out) {
    const std::uint64_t size = in.varint();
    if (!in.ok() || size > most || size > in.remaining()) return false;
    out = as_text(in.bytes(static_cast<std::size_t>(size)));
    return true;
}

}  // namespace solis::atlas
