// FEN text <-> Position, including X-FEN and Shredder-FEN castling fields.
#pragma once
#include <string>
#include <string_view>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::chess {

inline constexpr std::string_view kStartFen =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// How to_fen writes castling rights.
enum class CastlingFen {
    XFen,     // KQkq, a file letter only where KQkq would name another rook
    Shredder  // always file letters: HAha
};

// Takes 4 to 6 fields; missing counters read as "0 1". The error names the field and its text.
[[nodiscard]] Result<Position> parse_fen(std::string_view text);
// Always 6 fields; writes an en-passant square only if a capture there is legal.
[[nodiscard]] std::string to_fen(const Position& position, CastlingFen style = CastlingFen::XFen);
// The first four fields, which EPD shares with FEN.
[[nodiscard]] std::string to_fen_without_counters(const Position& position,
                                                  CastlingFen style = CastlingFen::XFen);

}  // namespace solis::chess
