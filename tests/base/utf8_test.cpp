// Text of unknown encoding.
#include "solis/base/utf8.h"

#include <gtest/gtest.h>

namespace solis {
namespace {

std::string converted(std::string_view bytes) {
    std::string text;
    append_as_utf8(text, bytes);
    return text;
}

TEST(Utf8, ValidTextIsKept) {
    for (const std::string_view text : {"", "plain", "\u00e9\u20ac\U0001F600", "\uD7FF\uE000"}) {
        EXPECT_TRUE(is_valid_utf8(text)) << text;
        EXPECT_EQ(converted(text), text);
    }
}

TEST(Utf8, InvalidTextIsReadAsLatin1) {
    EXPECT_EQ(converted("M\xFCller"), "M\u00fcller");
    EXPECT_EQ(converted("\xE9t\xE9"), "\u00e9t\u00e9");
    // Overlong, surrogate, beyond U+10FFFF, cut off, lone continuation.
    for (const std::string_view bytes :
         {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
          "\xE2\x82", "\x80"}) {
        EXPECT_FALSE(is_valid_utf8(bytes));
        EXPECT_TRUE(is_valid_utf8(converted(bytes)));
    }
}

}  // namespace
}  // namespace solis
