// Annotating a game: an evaluation for every move, marks for the bad ones.
#pragma once
#include <functional>
#include <vector>

#include "solis/analysis/analyst.h"
#include "solis/chess/pgn/game.h"

namespace solis::analysis {

enum class Judgement { Fine, Inaccuracy, Mistake, Blunder };

// "inaccuracy" and so on; empty for Fine.
[[nodiscard]] const char* name_of(Judgement judgement);
// "?!", "?" or "??"; empty for Fine.
[[nodiscard]] const char* mark_of(Judgement judgement);
// Of a move that gave away so much win probability.
[[nodiscard]] Judgement judgement_of(double given_away);

struct JudgedMove {
    std::uint32_t node = 0;  // in the game
    chess::Position before;
    chess::Move move;
    chess::Move best;  // what the analysis would have played
    std::optional<Verdict>
        verdict{};  // of the position after the move; none where the game is over
    Judgement judgement = Judgement::Fine;
};

// The main line, move by move. `watch` hears the number of positions done and says whether to go
// on. What was not analysed because of it, or because the analyst was stopped, is missing at the
// end.
[[nodiscard]] std::vector<JudgedMove> judge_game(const chess::PgnGame& game, Analyst& analyst,
                                                 const std::function<bool(std::size_t)>& watch);

// The game with [%eval], marks (?!, ?, ??) and the better move where there was one. Replaces the
// evals and marks of judged moves and keeps everything else.
[[nodiscard]] chess::PgnGame annotated(const chess::PgnGame& game,
                                       const std::vector<JudgedMove>& moves);

}  // namespace solis::analysis
