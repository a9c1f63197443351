// The tokens of a PGN stream, read in constant memory however long the stream is.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "solis/base/byte_source.h"
#include "solis/base/result.h"
#include "solis/chess/game_result.h"

namespace solis::chess {

// Longest move, number or tag name in bytes.
inline constexpr std::size_t kMaxPgnWord = 255;

enum class PgnTokenKind : std::uint8_t {
    End,        // of the input, or of what could be read: see PgnLexer::failure
    Tag,        // name and text (the value, unescaped)
    Move,       // text, not yet known to be a move
    FirstMove,  // the number "1." after an empty line, which may begin a game without tags
    Nag,        // number
    Open,       // of a variation
    Close,      // of a variation
    Comment,    // text
    Result,     // result
    Bad,        // text says what is wrong
    BadTag,     // the same; the rest of the line is skipped
};

// Only what belongs to the kind means anything.
struct PgnToken {
    PgnTokenKind kind = PgnTokenKind::End;
    GameResult result = GameResult::Unknown;
    std::uint8_t number = 0;
    std::uint64_t line = 0;  // where it begins, from 1
    std::string_view name;   // both views are valid until the next token
    std::string_view text;
};

class PgnLexer {
  public:
    // Comments longer than `max_comment` bytes are bad tokens.
    PgnLexer(ByteSource& source, std::size_t max_comment);

    // Reads the next token into token(), which stays where it is.
    void advance();
    [[nodiscard]] const PgnToken& token() const { return token_; }
    // Why the source could not be read to its end, if it could not.
    [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
    // Bytes consumed so far, for progress.
    [[nodiscard]] std::uint64_t bytes() const {
        return bytes_before_buffer_ + static_cast<std::uint64_t>(cursor_ - buffer_.get() - 1);
    }

  private:
    static constexpr std::size_t kBuffer = std::size_t{1} << 17;
    // No move, number or result is longer than half of this.
    static constexpr std::size_t kLookahead = 512;
    // Of a tag or a comment that ends with its line.
    static constexpr std::size_t kMaxLine = std::size_t{1} << 14;

    [[nodiscard]] std::size_t available() const { return static_cast<std::size_t>(end_ - cursor_); }
    // Reads no further than the zero byte at the end.
    [[nodiscard]] bool begins_with(std::string_view prefix) const {
        return std::strncmp(cursor_, prefix.data(), prefix.size()) == 0;
    }
    // Makes `wanted` bytes available unless the input ends before.
    void refill(std::size_t wanted);
    // The rest of the line without its end; cut off if it is longer than any line may be.
    [[nodiscard]] std::string_view rest_of_line();
    void skip_line();
    void begin_line();
    void set(PgnTokenKind kind) {
        token_.kind = kind;
        token_.line = line_;
    }
    void set_bad(std::string message, PgnTokenKind kind = PgnTokenKind::Bad);
    // These two are false where there was nothing to tell.
    [[nodiscard]] bool read_move();
    [[nodiscard]] bool read_number();
    void read_result(std::size_t length, GameResult result);
    void read_nag();
    void read_glyph();
    void read_unexpected();
    void read_tag();
    void read_tag_value(std::string_view line, std::size_t value_at);
    void read_comment();
    void read_line_comment();
    [[nodiscard]] bool consume_comment_part(std::size_t size);

    PgnToken token_;
    ByteSource& source_;
    std::size_t max_comment_;
    // One byte of the past, then what is not consumed yet, then a zero byte.
    std::unique_ptr<char[]> buffer_;
    const char* cursor_;
    const char* end_;
    bool at_end_ = false;
    bool after_empty_line_ = true;
    std::uint64_t line_ = 1;
    std::uint64_t bytes_before_buffer_ = 0;
    std::string scratch_;
    std::optional<Error> failure_;
};

}  // namespace solis::chess
