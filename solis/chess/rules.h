// When a game is over. What the rules end is kept apart from what a player may only claim.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "solis/chess/position.h"

namespace solis::chess {

enum class Termination : std::uint8_t {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    BlockedPosition,  // enough material, but nothing can ever give check again
    FivefoldRepetition,
    SeventyFiveMoves,
    // Only when a player claims them:
    ThreefoldRepetition,
    FiftyMoves,
};

// True for endings that do not happen by themselves.
[[nodiscard]] constexpr bool needs_claim(Termination t) {
    return t == Termination::ThreefoldRepetition || t == Termination::FiftyMoves;
}
// For example "fivefold repetition".
[[nodiscard]] std::string_view name_of(Termination termination);

struct Outcome {
    Termination reason;
    std::optional<Color> winner;  // none: a draw

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Whether draws that a player may claim count as the end of the game.
enum class Claims { Ignored, Counted };

// FIDE's plies without capture or pawn move.
inline constexpr int kFiftyMoves = 100;
inline constexpr int kSeventyFiveMoves = 150;

// The end of the game in `position`, which has now occurred `repetitions` times. Mate on the board
// comes before every draw, and automatic draws before claims.
[[nodiscard]] std::optional<Outcome> outcome(const Position& position, Claims claims,
                                             int repetitions = 1);
// The same for a search that already knows that the side to move has a legal move.
[[nodiscard]] std::optional<Termination> draw_with_moves_left(const Position& position,
                                                              Claims claims, int repetitions = 1);

// How often the last of `keys` occurs in them. `keys` are the positions of a game in order, and
// only the last `halfmove_clock` moves can repeat.
[[nodiscard]] int count_repetitions(std::span<const std::uint64_t> keys, int halfmove_clock);

// Neither side could mate with these pieces even if the other helped: K v K, K+N v K, or bishops
// that all stand on squares of one colour.
[[nodiscard]] bool is_insufficient_material(const Position& position);

// True only if no sequence of legal moves can end in mate because the pawns are locked for ever
// and no piece can ever attack a square that the enemy king can enter. Not every dead position is
// found (that takes a search), but what is found is dead.
[[nodiscard]] bool is_blocked(const Position& position);

// Whether `c` could still mate with the opponent's help, which decides between loss and draw when
// the opponent's flag falls. False is certain; true may be wrong where only the placement of the
// pieces forbids mate.
[[nodiscard]] bool can_mate(const Position& position, Color c);

}  // namespace solis::chess
