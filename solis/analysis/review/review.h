// A game reviewed move by move: what each move cost, how accurate each side was, and the moments
// that decided it, in words.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solis/analysis/annotate.h"
#include "solis/chess/pgn/game.h"

namespace solis::analysis {

// Probabilities are White's.
struct ReviewedMove {
    std::size_t ply = 0;     // from 1
    std::uint32_t node = 0;  // in the PGN game
    chess::Position before;
    chess::Move move;
    double p_before = 0.5;             // with best play, of the position before it
    double p = 0.5;                    // of the position after it
    std::optional<Verdict> verdict{};  // of the position after it; none where the game is over
    std::vector<chess::Move> best{};   // the line that the analysis would have played
    std::optional<int> mate_before{};  // what the analysis saw before it, White's view
    double loss = 0;                   // what it cost its side, in win probability
    double accuracy = 100;             // of the move, 0 to 100
    Judgement judgement = Judgement::Fine;

    [[nodiscard]] chess::Color mover() const { return before.side_to_move(); }
};

struct KeyPoint {
    std::size_t ply = 0;
    std::string text;
};

struct SideSummary {
    double accuracy = 0;  // mean over its moves; 0 where it has none
    std::size_t moves = 0;
    std::size_t inaccuracies = 0;
    std::size_t mistakes = 0;
    std::size_t blunders = 0;
};

// Takes the analyses of a game's positions one by one; how they are made is up to the caller.
class GameReview {
  public:
    // The main line counts.
    explicit GameReview(chess::PgnGame game);

    [[nodiscard]] const chess::PgnGame& game() const { return game_; }
    [[nodiscard]] std::size_t plies() const { return game_.ply_count(); }
    // The position to be analysed next; null when there is none left.
    [[nodiscard]] const chess::Game* next() const { return done_ ? nullptr : &replay_; }
    // The analysis of next(). Returns the move that led there, judged; null for the first position.
    const ReviewedMove* add(const Analysis& analysis);

    // --- of what has been reviewed so far
    [[nodiscard]] const std::vector<ReviewedMove>& moves() const { return moves_; }
    // White's win probability at the start.
    [[nodiscard]] double p_start() const { return p_start_; }
    [[nodiscard]] SideSummary summary(chess::Color side) const;
    // The moves that cost most, at most so many, in the order of the game.
    [[nodiscard]] std::vector<KeyPoint> key_points(std::size_t most) const;
    [[nodiscard]] chess::PgnGame annotated_game() const;

  private:
    // What is known of a position.
    struct Seen {
        double p = 0.5;
        std::optional<Verdict> verdict{};
        std::vector<chess::Move> line{};
    };

    [[nodiscard]] Seen seen(const Analysis& analysis) const;
    void judge_pending(const Seen& now);

    chess::PgnGame game_;
    chess::Game replay_;
    std::uint32_t node_ = 0;  // the move that led to the current position
    bool done_ = false;
    std::optional<ReviewedMove> pending_;  // led to the current position; not judged yet
    double p_start_ = 0.5;
    std::vector<ReviewedMove> moves_;
};

// Of a move that cost so much win probability, 100 for none: Lichess's curve.
[[nodiscard]] double move_accuracy(double loss);
// "17. Qxb7??", "17... Nf6".
[[nodiscard]] std::string numbered_move(const ReviewedMove& move);
// What happened with the move, in a sentence or two.
[[nodiscard]] std::string describe(const ReviewedMove& move);

}  // namespace solis::analysis
