// Ending games early where the result is clear. Every rule is off unless asked for.
#pragma once
#include <array>
#include <optional>

#include "solis/chess/position.h"
#include "solis/chess/tablebase.h"
#include "solis/data/score.h"
#include "solis/lab/match/game_record.h"

namespace solis::lab {

// A draw when from move `from_move` on both sides have seen at most `centipawns` either way for
// `moves` moves each, without a capture or pawn move in between.
struct DrawRule {
    int from_move = 40;
    int moves = 8;
    int centipawns = 10;
};

// A loss when a side has seen itself `centipawns` or more behind for `moves` of its moves; with
// `both_agree` the other side must have seen itself as much ahead.
struct ResignRule {
    int moves = 4;
    int centipawns = 600;
    bool both_agree = true;
};

struct AdjudicationOptions {
    std::optional<DrawRule> draw;
    std::optional<ResignRule> resign;
    std::optional<int> max_moves;  // a draw after so many full moves
};

struct Verdict {
    Ending ending;
    std::optional<chess::Color> winner;  // none: a draw

    friend bool operator==(const Verdict&, const Verdict&) = default;
};

// Follows one game.
class Adjudicator {
  public:
    // `tablebase` may be null and must outlive this.
    Adjudicator(const AdjudicationOptions& options, const chess::Tablebase* tablebase)
        : options_(options), tablebase_(tablebase) {}

    // `mover` has just reached `position` and said `score` about its move; `ply` counts the moves
    // of the game, this one included.
    [[nodiscard]] std::optional<Verdict> after_move(const chess::Position& position,
                                                    chess::Color mover, data::Score score, int ply);

  private:
    [[nodiscard]] bool is_agreed_draw(const chess::Position& position, data::Score score, int ply);
    [[nodiscard]] bool resigns(chess::Color mover, data::Score score);
    [[nodiscard]] std::optional<Verdict> probe(const chess::Position& position) const;

    AdjudicationOptions options_;
    const chess::Tablebase* tablebase_;
    int drawish_plies_ = 0;
    std::array<int, 2> losing_{};  // own moves in a row, by colour
    std::array<int, 2> winning_{};
};

}  // namespace solis::lab
