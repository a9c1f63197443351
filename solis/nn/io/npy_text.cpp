// UTF-8 <-> rows of UTF-32.
#include "solis/nn/io/npy_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "solis/base/utf8.h"

namespace solis::nn {
namespace {

constexpr std::size_t kMostCharacters = std::size_t{1} << 24;  // of one string

std::u32string code_points(std::string_view bytes) {
    std::string text;
    append_as_utf8(text, bytes);
    std::u32string points;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i++]);
        // The number of leading ones is the length of the sequence; without any it is 1.
        const int following = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        char32_t point = following == 0 ? lead : lead & (0x3Fu >> following);
        for (int n = 0; n < following; ++n) {
            point = point << 6 | (static_cast<unsigned char>(text[i++]) & 0x3Fu);
        }
        points.push_back(point);
    }
    return points;
}

bool is_code_point(char32_t point) {
    return point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
}

void append_utf8(std::string& text, char32_t point) {
    const auto byte = [&](char32_t bits) { text += static_cast<char>(bits); };
    if (point < 0x80) return byte(point);
    if (point < 0x800) {
        byte(0xC0 | point >> 6);
    } else {
        if (point < 0x10000) {
            byte(0xE0 | point >> 12);
        } else {
            byte(0xF0 | point >> 18);
            byte(0x80 | (point >> 12 & 0x3F));
        }
        byte(0x80 | (point >> 6 & 0x3F));
    }
    byte(0x80 | (point & 0x3F));
}

std::size_t widest(const std::vector<std::string>& strings) {
    std::size_t width = 1;
    for (const std::string& text : strings) width = std::max(width, code_points(text).size());
    return width;
}

}  // namespace

std::string text_descr(const std::vector<std::string>& strings) {
    return fmt::format("<U{}", widest(strings));
}

std::string encode_text(const std::vector<std::string>& strings) {
    const std::size_t width = widest(strings) * sizeof(char32_t);
    std::string data(strings.size() * width, '\0');
    for (std::size_t i = 0; i < strings.size(); ++i) {
        const std::u32string points = code_points(strings[i]);
        std::memcpy(data.data() + i * width, points.data(), points.size() * sizeof(char32_t));
    }
    return data;
}

Result<std::vector<std::string>> decode_text(std::string_view descr, std::size_t count,
                                             std::string_view data) {
    const std::string_view digits = descr.substr(2);
    std::size_t width = 0, bytes = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
    if (status != std::errc{} || end != digits.data() + digits.size() || width == 0 ||
        width > kMostCharacters) {
        return fail(
            fmt::format("npy: type '{}' is no text of a fixed length", descr.substr(0, 16)));
    }
    if (__builtin_mul_overflow(count, width * sizeof(char32_t), &bytes) || bytes != data.size()) {
        return fail(fmt::format("npy: {} strings of type {} do not fit {} bytes of data", count,
                                descr.substr(0, 16), data.size()));
    }
    std::vector<std::string> strings(count);
    std::u32string points(width, U'\0');
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(points.data(), data.data() + i * width * sizeof(char32_t),
                    width * sizeof(char32_t));
        const std::size_t length = points.find_last_not_of(U'\0') + 1;
        for (const char32_t point : std::u32string_view(points).substr(0, length)) {
            if (!is_code_point(point)) {
                return fail(fmt::format("npy: string {} has U+{:X}, which is no character", i,
                                        static_cast<std::uint32_t>(point)));
            }
            append_utf8(strings[i], point);
        }
    }
    return strings;
}

}  // namespace solis::nn
