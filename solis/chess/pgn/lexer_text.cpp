// PGN tags and comments. A tag fits into the buffer; a comment may be longer than it.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/pgn/lexer.h"

namespace solis::chess {

void PgnLexer::read_tag() {
    const std::string_view line = rest_of_line();
    constexpr std::string_view kBlank = " \t";
    const std::size_t name_at = std::min(line.find_first_not_of(kBlank, 1), line.size());
    const std::size_t name_end = std::min(line.find_first_of(" \t\"]\r", name_at), line.size());
    const std::size_t quote = line.find_first_not_of(kBlank, name_end);
    const std::string_view name = line.substr(name_at, name_end - name_at);
    const bool has_value = quote != std::string_view::npos && line[quote] == '"';
    if (name.empty() || !is_letter(name.front()) || name.size() > kMaxPgnWord || !has_value) {
        const std::string message = fmt::format("'{}' is not a tag", printable(line, 40));
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
    const std::string message =
        fmt::format("tag '{}' does not end with '\"]'", printable(line, 40));
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
        if (*cursor_ == '[' && begins_with("[Event \"")) return false;
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
