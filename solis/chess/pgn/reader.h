// Reads the games of a PGN stream one by one, checking every move.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "solis/chess/pgn/game.h"
#include "solis/chess/pgn/lexer.h"

namespace solis::chess {

// Against hostile input. A game beyond them is broken.
struct PgnLimits {
    std::size_t moves = 1'000'000;  // of one game, variations included
    std::size_t depth = 200;        // of variations inside variations
    std::size_t text = 16 << 20;    // bytes of tags and comments of one game
    std::size_t tags = 1000;
    std::size_t notes = 4'000'000;
};

enum class PgnOutcome {
    Game,    // a game was read
    Broken,  // a game with an error was skipped; error() says what and where
    End,     // no more games
};

class PgnReader {
  public:
    // `source` must outlive the reader.
    explicit PgnReader(ByteSource& source, const PgnLimits& limits = {});
    PgnReader(const PgnReader&) = delete;
    PgnReader& operator=(const PgnReader&) = delete;

    // Replaces `game` by the next one. A broken game is left with its tags and with the moves
    // before the error, and reading goes on with the game after it. An error means that the
    // source cannot be read on.
    [[nodiscard]] Result<PgnOutcome> next(PgnGame& game);

    // The error of the last broken game: "line 17: ...".
    [[nodiscard]] const Error& error() const { return error_; }
    // Line where the error is, or where the game begins if it is not broken; from 1.
    [[nodiscard]] std::uint64_t line() const { return line_; }
    // The result at the end of the moves is not the one in the tags.
    [[nodiscard]] bool results_differ() const { return results_differ_; }
    // Bytes read so far, after decompression.
    [[nodiscard]] std::uint64_t bytes() const { return lexer_.bytes(); }

  private:
    // A line that waits while a variation is read.
    struct Frame {
        Position before;     // the position before `node`
        Position after;      // the position after it
        std::uint32_t node;  // the move the variation replaces
        std::uint64_t line;  // where the variation begins in the text
    };
    enum class Step { Continue, GameEnds };

    [[nodiscard]] PgnOutcome read_game(PgnGame& game);
    void read_tags(PgnGame& game);
    void add_tag(PgnGame& game);
    [[nodiscard]] Result<Position> start_position(const PgnGame& game) const;
    void read_moves(PgnGame& game);
    [[nodiscard]] Step read_token(PgnGame& game);
    void play(PgnGame& game);
    void open_variation();
    void close_variation(PgnGame& game);
    void add_nag(PgnGame& game);
    void add_comment(PgnGame& game);
    void finish(PgnGame& game);
    void skip_to_next_game();
    void advance() { lexer_.advance(); }
    [[nodiscard]] const Position& at() const { return positions_[current_]; }
    [[nodiscard]] const Position& before() const { return positions_[current_ ^ 1]; }
    void break_at(std::uint64_t line, const Error& error);

    PgnLimits limits_;
    PgnLexer lexer_;
    const PgnToken& token_ = lexer_.token();
    bool broken_ = false;
    bool results_differ_ = false;
    bool has_result_ = false;  // the moves ended with a result
    Error error_;
    std::uint64_t line_ = 1;
    // The position after the last move of the line and the one before that move, by turns.
    std::array<Position, 2> positions_{Position::start(), Position::start()};
    std::size_t current_ = 0;
    std::uint32_t node_ = 0;
    bool line_is_empty_ = true;  // of the current variation: its first move is still to come
    std::vector<Frame> frames_;
    std::string scratch_;
    std::string tag_value_;
};

}  // namespace solis::chess
