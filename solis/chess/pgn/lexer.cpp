// PGN tokens: the buffer, and the short tokens, which are always whole in it.
#include "solis/chess/pgn/lexer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "solis/base/text.h"

namespace solis::chess {
namespace {

enum class Class : std::uint8_t {
    Other,
    Blank,
    LineEnd,
    Move,
    Digit,
    Glyph,
    Dollar,
    Open,
    Close,
    Brace,
    Semicolon,
    Bracket,
    Star,
    Zero,  // the end of the buffer, or a stray zero byte
};

constexpr std::array<Class, 256> kClasses = [] {
    std::array<Class, 256> classes{};
    const auto set = [&](std::string_view characters, Class c) {
        for (const char each : characters) classes[static_cast<unsigned char>(each)] = c;
    };
    set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-@", Class::Move);
    set("0123456789", Class::Digit);
    set(" \t\r\v\f.", Class::Blank);
    set("\n", Class::LineEnd);
    set("!?", Class::Glyph);
    set("$", Class::Dollar);
    set("(", Class::Open);
    set(")", Class::Close);
    set("{", Class::Brace);
    set(";", Class::Semicolon);
    set("[", Class::Bracket);
    set("*", Class::Star);
    classes[0] = Class::Zero;
    return classes;
}();

// What may follow inside a move.
constexpr std::array<bool, 256> kInMove = [] {
    std::array<bool, 256> inside{};
    for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                         "0123456789-@+#=:/_")) {
        inside[static_cast<unsigned char>(c)] = true;
    }
    return inside;
}();

Class class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }
bool in_move(char c) { return kInMove[static_cast<unsigned char>(c)]; }

}  // namespace

PgnLexer::PgnLexer(ByteSource& source, std::size_t max_comment)
    : source_(source),
      max_comment_(max_comment),
      buffer_(std::make_unique_for_overwrite<char[]>(kBuffer + 2)) {
    buffer_[0] = '\n';
    buffer_[1] = '\0';
    cursor_ = end_ = buffer_.get() + 1;
    refill(kLookahead);
    if (begins_with("\xEF\xBB\xBF")) cursor_ += 3;
    if (*cursor_ == '%') skip_line();
}

void PgnLexer::refill(std::size_t wanted) {
    if (at_end_) return;
    char* const begin = buffer_.get();
    const std::size_t kept = available();
    bytes_before_buffer_ += static_cast<std::uint64_t>(cursor_ - begin - 1);
    std::memmove(begin, cursor_ - 1, kept + 1);
    cursor_ = begin + 1;
    std::size_t filled = kept;
    while (filled < std::min(wanted, kBuffer)) {
        const auto got = source_.read(std::span(begin + 1 + filled, kBuffer - filled));
        if (!got) failure_ = got.error();
        at_end_ = !got || *got == 0;
        if (at_end_) break;
        filled += *got;
    }
    end_ = begin + 1 + filled;
    begin[1 + filled] = '\0';
}

void PgnLexer::set_bad(std::string message, PgnTokenKind kind) {
    set(kind);
    scratch_ = std::move(message);
    token_.text = scratch_;
}

void PgnLexer::advance() {
    for (;;) {
        if (available() < kLookahead) refill(kLookahead);
        switch (class_of(*cursor_)) {
            case Class::Blank:
                ++cursor_;
                break;
            case Class::LineEnd:
                begin_line();
                break;
            case Class::Move:
                if (read_move()) return;
                break;
            case Class::Digit:
                if (read_number()) return;
                break;
            case Class::Glyph:
                return read_glyph();
            case Class::Dollar:
                return read_nag();
            case Class::Open:
                ++cursor_;
                return set(PgnTokenKind::Open);
            case Class::Close:
                ++cursor_;
                return set(PgnTokenKind::Close);
            case Class::Brace:
                return read_comment();
            case Class::Semicolon:
                return read_line_comment();
            case Class::Bracket:
                return read_tag();
            case Class::Star:
                return read_result(1, GameResult::Unknown);
            case Class::Zero:
                if (available() == 0) return set(PgnTokenKind::End);
                [[fallthrough]];
            case Class::Other:
                return read_unexpected();
        }
    }
}

// A run of them is one token: a file of gigabytes that is no PGN is passed over quickly.
void PgnLexer::read_unexpected() {
    const char first = *cursor_;
    do {
        ++cursor_;
        if (available() == 0) refill(kLookahead);
    } while (available() > 0 &&
             (class_of(*cursor_) == Class::Other || class_of(*cursor_) == Class::Zero));
    set_bad(fmt::format("unexpected character '{}' (0x{:02X})", printable({&first, 1}, 1),
                        static_cast<unsigned char>(first)));
}

// On a line end: goes to the next line and past it if '%' escapes it.
void PgnLexer::begin_line() {
    ++cursor_;
    ++line_;
    if (*cursor_ == '\n' || (*cursor_ == '\r' && cursor_[1] == '\n')) after_empty_line_ = true;
    if (*cursor_ == '%') skip_line();
}

void PgnLexer::skip_line() {
    for (;;) {
        const void* const found = std::memchr(cursor_, '\n', available());
        if (found != nullptr) {
            cursor_ = static_cast<const char*>(found);
            return;
        }
        cursor_ = end_;
        refill(kLookahead);
        if (available() == 0) return;
    }
}

std::string_view PgnLexer::rest_of_line() {
    if (available() < kMaxLine) refill(kMaxLine);
    const std::size_t most = std::min(available(), kMaxLine);
    const void* const found = std::memchr(cursor_, '\n', most);
    const char* const stop = found == nullptr ? cursor_ + most : static_cast<const char*>(found);
    return {cursor_, static_cast<std::size_t>(stop - cursor_)};
}

bool PgnLexer::read_move() {
    const char* const begin = cursor_;
    const char* p = begin;
    while (in_move(*p)) ++p;
    if (*p == '(' && p[1] != '\0' && p[2] == ')' && (p[-1] == '8' || p[-1] == '1')) p += 3;
    if (*p == '.' && p[-1] == 'e' && p[1] == 'p') p += p[2] == '.' ? 3 : 2;
    cursor_ = p;
    after_empty_line_ = false;
    set(PgnTokenKind::Move);
    token_.text = {begin, static_cast<std::size_t>(p - begin)};
    if (token_.text.size() > kMaxPgnWord) {
        while (in_move(*cursor_)) {
            ++cursor_;
            if (available() == 0) refill(kLookahead);
        }
        set_bad(fmt::format("a word of more than {} characters", kMaxPgnWord));
    }
    return token_.text != "e.p." && token_.text != "ep";
}

void PgnLexer::read_result(std::size_t length, GameResult result) {
    set(PgnTokenKind::Result);
    token_.result = result;
    cursor_ += length;
    after_empty_line_ = false;
}

// Results, castling written with zeros, and move numbers, which say nothing new.
bool PgnLexer::read_number() {
    struct Spelling {
        std::string_view text;
        GameResult result;
    };
    constexpr std::array<Spelling, 4> kSpellings{
        Spelling{"1-0", GameResult::WhiteWins}, Spelling{"0-1", GameResult::BlackWins},
        Spelling{"1/2-1/2", GameResult::Draw}, Spelling{"1/2", GameResult::Draw}};
    if (cursor_[1] == '-' || cursor_[1] == '/') {
        for (const auto& [text, result] : kSpellings) {
            if (!begins_with(text) || in_move(cursor_[text.size()])) continue;
            read_result(text.size(), result);
            return true;
        }
        return read_move();
    }
    const char* p = cursor_;
    while (is_digit(*p) && p < cursor_ + kMaxPgnWord) ++p;
    const bool is_one = *cursor_ == '1' && p == cursor_ + 1 && *p == '.' && p[1] != '.';
    const bool may_begin_game = is_one && after_empty_line_;
    cursor_ = p;
    after_empty_line_ = false;
    if (may_begin_game) set(PgnTokenKind::FirstMove);
    return may_begin_game;
}

void PgnLexer::read_nag() {
    set(PgnTokenKind::Nag);
    int value = 0, digits = 0;
    for (++cursor_; is_digit(*cursor_) && digits < 4; ++cursor_, ++digits) {
        value = 10 * value + (*cursor_ - '0');
    }
    if (digits == 0 || value > 255) {
        return set_bad("'$' must be followed by a number from 0 to 255");
    }
    token_.number = static_cast<std::uint8_t>(value);
}

void PgnLexer::read_glyph() {
    // "!!" is 3, "!?" 5, "?!" 6, "??" 4; alone "!" is 1 and "?" is 2.
    set(PgnTokenKind::Nag);
    const bool first_good = *cursor_++ == '!';
    if (class_of(*cursor_) != Class::Glyph) {
        token_.number = first_good ? 1 : 2;
        return;
    }
    const bool second_good = *cursor_++ == '!';
    if (first_good == second_good) {
        token_.number = first_good ? 3 : 4;
    } else {
        token_.number = first_good ? 5 : 6;
    }
}

}  // namespace solis::chess
