// The 32-byte records that NNUE trainers exchange, both ways.
#pragma once
#include <memory>

#include "solis/base/byte_source.h"
#include "solis/base/bytes.h"
#include "solis/base/result.h"
#include "solis/data/formats/row_source.h"

namespace solis::data {

inline constexpr std::size_t kPackedSize = 32;

// An isolated position with its score (side to move's view) and the result of its game.
struct LabelledPosition {
    chess::Position position;
    Score score;
    GameResult result = GameResult::Unknown;
};

// marlinformat, little-endian: occupancy u64; 16 bytes of nibbles in the order of the occupied
// squares, colour in bit 3, type in bits 0-2, 6 for a rook that may still castle; side to move in
// bit 7 and en-passant square (64 for none) below it; half-move clock u8; full-move number u16;
// score i16 and result u8 (0, 1, 2 for a loss, draw, win) from White's view; one spare byte.
[[nodiscard]] Result<LabelledPosition> read_marlin(ByteView record);
// An unknown result is written as a draw. Counters are clipped to what fits.
void append_marlin(Bytes& out, const LabelledPosition& labelled);

// bulletformat: the same occupancy and nibbles, but of the board turned so that the side to move
// is White; score i16 and result u8 from the mover's view; king square u8; the other king's
// square u8, seen from its own side; three spare bytes. Without side, castling rights, en passant
// and counters, so that reading gives a position with White to move and none of them.
[[nodiscard]] Result<LabelledPosition> read_bullet(ByteView record);
void append_bullet(Bytes& out, const LabelledPosition& labelled);

[[nodiscard]] RowFormat marlin_rows(std::unique_ptr<ByteSource> source);
[[nodiscard]] RowFormat bullet_rows(std::unique_ptr<ByteSource> source);

}  // namespace solis::data
