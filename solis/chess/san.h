// Moves in standard algebraic notation: Nf3, exd5, O-O, e8=Q+.
#pragma once
#include <string>
#include <string_view>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::chess {

// `move` must be legal. Disambiguates by file, rank or square, whichever is the shortest that
// tells the legal moves apart; adds '+' or '#'.
[[nodiscard]] std::string to_san(const Position& position, Move move);
// The same at the end of `text`.
void append_san(std::string& text, const Position& position, Move move);

// The one legal move that `text` means, or no move. Takes what real PGN files contain: 0-0,
// e8Q, e8(Q), e8=q, Ng1f3, Pe4, missing or superfluous x + #, trailing ! ? and e.p., and
// coordinates (g1f3, e7e8q).
[[nodiscard]] Move match_san(const Position& position, std::string_view text);
// match_san with a reason where there is no such move: the error names the text and the FEN.
[[nodiscard]] Result<Move> parse_san(const Position& position, std::string_view text);

}  // namespace solis::chess
