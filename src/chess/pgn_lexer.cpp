// PGN tokens. Short tokens are always whole in the buffer; comments may be longer than it.
#include "chess/pgn_lexer.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace solis::chess {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 17;
// No move, number or result is longer than half of this.
constexpr std::size_t kLookahead = 512;
// Of a tag or a comment that ends with its line.
constexpr std::size_t kMaxLine = std::size_t{1} << 14;

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
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool starts_with(const char* text, std::string_view prefix) {
    return std::strncmp(text, prefix.data(), prefix.size()) == 0;
}

std::string shown(std::string_view text) {
    constexpr std::size_t kMost = 40;
    std::string printable;
    for (const char c : text.substr(0, kMost)) printable += c >= 0x20 && c < 0x7F ? c : '?';
    return text.size() > kMost ? printable + "..." : printable;
}

}  // namespace

PgnLexer::PgnLexer(ByteSource& source, std::size_t max_comment)
    : source_(source),
      max_comment_(max_comment),
      buffer_(std::make_unique_for_overwrite<char[]>(kBuffer + 2)) {
    buffer_[0] = '\n';
    buffer_[1] = '\0';
    cursor_ = end_ = buffer_.get() + 1;
    refill(kLookahead);
    if (starts_with(cursor_, "\xEF\xBB\xBF")) cursor_ += 3;
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
                ++cursor_;
                return set_bad(fmt::format("unexpected character '{}' (0x{:02X})",
                                           shown({cursor_ - 1, 1}),
                                           static_cast<unsigned char>(cursor_[-1])));
        }
    }
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
            if (!starts_with(cursor_, text) || in_move(cursor_[text.size()])) continue;
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

std::string_view PgnLexer::rest_of_line() {
    if (available() < kMaxLine) refill(kMaxLine);
    const std::size_t most = std::min(available(), kMaxLine);
    const void* const found = std::memchr(cursor_, '\n', most);
    const char* const stop = found == nullptr ? cursor_ + most : static_cast<const char*>(found);
    return {cursor_, static_cast<std::size_t>(stop - cursor_)};
}

void PgnLexer::read_tag() {
    const std::string_view line = rest_of_line();
    constexpr std::string_view kBlank = " \t";
    const std::size_t name_at = std::min(line.find_first_not_of(kBlank, 1), line.size());
    const std::size_t name_end = std::min(line.find_first_of(" \t\"]\r", name_at), line.size());
    const std::size_t quote = line.find_first_not_of(kBlank, name_end);
    const std::string_view name = line.substr(name_at, name_end - name_at);
    const bool has_value = quote != std::string_view::npos && line[quote] == '"';
    if (name.empty() || !is_letter(name.front()) || name.size() > kMaxPgnWord || !has_value) {
        const std::string message = fmt::format("'{}' is not a tag", shown(line));
        skip_line();
        return set_bad(message, PgnTokenKind::BadTag);
    }
    after_empty_line_ = true;
    set(PgnTokenKind::Tag);
    token_.name = name;
    read_tag_value(line, quote + 1);
}

// A quote ends the value if a bracket follows: values with unescaped quotes are common.
void PgnLexer::read_tag_value(std::string_view line, std::size_t value_at) {
    scratch_.clear();
    std::size_t copied = value_at;  // scratch_ has the value up to here, once it has any
    for (std::size_t at = value_at; at < line.size(); ++at) {
        at = line.find_first_of("\\\"", at);
        if (at == std::string_view::npos || at + 1 >= line.size()) break;
        const char following = line[at + 1];
        if (line[at] == '\\') {
            if (following != '"' && following != '\\') continue;
            scratch_ += line.substr(copied, at - copied);
            copied = ++at;
            continue;
        }
        const std::size_t bracket = line.find_first_not_of(" \t", at + 1);
        if (bracket == std::string_view::npos || line[bracket] != ']') continue;
        token_.text = line.substr(value_at, at - value_at);
        if (copied != value_at) {
            scratch_ += line.substr(copied, at - copied);
            token_.text = scratch_;
        }
        cursor_ += bracket + 1;
        return;
    }
    const std::string message = fmt::format("tag '{}' does not end with '\"]'", shown(line));
    skip_line();
    set_bad(message, PgnTokenKind::BadTag);
}

// Moves the cursor over part of a comment, counting lines. False where the next game begins.
bool PgnLexer::consume_comment_part(std::size_t size) {
    const char* const stop = cursor_ + size;
    while (const void* const found =
               std::memchr(cursor_, '\n', static_cast<std::size_t>(stop - cursor_))) {
        cursor_ = static_cast<const char*>(found) + 1;
        ++line_;
        if (*cursor_ == '[' && starts_with(cursor_, "[Event \"")) return false;
    }
    cursor_ = stop;
    return true;
}

void PgnLexer::read_comment() {
    set(PgnTokenKind::Comment);
    ++cursor_;
    scratch_.clear();
    std::size_t total = 0;
    for (;;) {
        const void* const found = std::memchr(cursor_, '}', available());
        const char* const begin = cursor_;
        // Without an end in sight, the last bytes wait for what follows: they may begin a game.
        const std::size_t size =
            found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - begin)
            : at_end_        ? available()
                             : available() - std::min<std::size_t>(available(), 16);
        const bool closed = consume_comment_part(size) && (found != nullptr || !at_end_);
        if (!closed) {
            return set_bad(
                fmt::format("the comment that begins in line {} is not closed", token_.line));
        }
        total += size;
        if (found != nullptr && scratch_.empty()) token_.text = {begin, size};
        if (found == nullptr || !scratch_.empty()) {
            if (total <= max_comment_) scratch_.append(begin, size);
        }
        if (found != nullptr) break;
        refill(kBuffer);
    }
    ++cursor_;
    if (!scratch_.empty()) token_.text = scratch_;
    if (total > max_comment_) {
        return set_bad(fmt::format("a comment of more than {} bytes", max_comment_));
    }
}

void PgnLexer::read_line_comment() {
    ++cursor_;
    set(PgnTokenKind::Comment);
    token_.text = rest_of_line();
    const std::size_t most = std::min(max_comment_, kMaxLine - 1);
    if (token_.text.size() > most) {
        skip_line();
        return set_bad(fmt::format("a ';' comment of more than {} bytes", most));
    }
    cursor_ += token_.text.size();
}

}  // namespace solis::chess
