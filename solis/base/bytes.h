// Little-endian numbers and varints in byte buffers; reading is bounds-checked.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace solis {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

// `bytes` must hold at least sizeof(T).
template <class T>
requires std::is_unsigned_v<T>
[[nodiscard]] constexpr T load_little_endian(const std::uint8_t* bytes) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        value = static_cast<T>(value | static_cast<T>(static_cast<T>(bytes[i]) << (8 * i)));
    }
    return value;
}

template <class T>
requires std::is_unsigned_v<T>
void append_little_endian(Bytes& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
}

// LEB128: seven bits per byte, the lowest first, the top bit says that more follow.
inline void append_varint(Bytes& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 0x80));
    out.push_back(static_cast<std::uint8_t>(value));
}

// Reads from the front of a buffer. The first read past the end, and every read after it, gives
// zero and makes ok() false: check once after a group of reads.
class ByteReader {
  public:
    explicit ByteReader(ByteView bytes) : rest_(bytes) {}

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] std::size_t remaining() const { return rest_.size(); }

    template <class T>
    requires std::is_unsigned_v<T>
    [[nodiscard]] T number() {
        if (rest_.size() < sizeof(T)) return fail();
        const T value = load_little_endian<T>(rest_.data());
        rest_ = rest_.subspan(sizeof(T));
        return value;
    }
    [[nodiscard]] std::uint8_t byte() { return number<std::uint8_t>(); }
    [[nodiscard]] std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const std::uint8_t part = byte();
            value |= static_cast<std::uint64_t>(part & 0x7F) << shift;
            if (part < 0x80) return value;
        }
        return fail();
    }
    // Empty when fewer than `size` are left.
    [[nodiscard]] ByteView bytes(std::size_t size) {
        if (rest_.size() < size) {
            fail();
            return {};
        }
        const ByteView taken = rest_.first(size);
        rest_ = rest_.subspan(size);
        return taken;
    }

  private:
    std::uint8_t fail() {
        ok_ = false;
        rest_ = {};
        return 0;
    }

    ByteView rest_;
    bool ok_ = true;
};

[[nodiscard]] inline ByteView as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
[[nodiscard]] inline std::string_view as_text(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace solis
