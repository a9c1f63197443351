// Single moves are judged exactly as the move generator judges them.
#include "solis/chess/legality.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/perft.h"
#include "tests/chess/awkward_positions.h"

namespace solis::chess {
namespace {

TEST(Legality, AllSixteenBitPatternsAgreeWithTheMoveList) {
    for (const std::string_view fen : kAwkwardFens) {
        const Position position = parse_fen(fen).value();
        const MoveList moves = legal_moves(position);
        for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
            const Move move = Move::from_bits(static_cast<std::uint16_t>(bits));
            ASSERT_EQ(is_legal(position, move), moves.contains(move)) << fen << " bits " << bits;
        }
    }
}

TEST(Legality, OriginsAreTheSquaresTheMoveListStartsFrom) {
    for (const std::string_view fen : kAwkwardFens) {
        (void)perft_visiting(parse_fen(fen).value(), 2, [](const Position& position) {
            Bitboard expected[6][64] = {};
            for (const Move move : legal_moves(position)) {
                if (move.kind() == MoveKind::Castling) continue;
                const PieceType type = type_of(position.piece_on(move.from()));
                expected[index(type)][index(move.to())] |= bit(move.from());
            }
            for (int type = 0; type < 6; ++type) {
                for (int to = 0; to < 64; ++to) {
                    ASSERT_EQ(legal_origins(position, static_cast<PieceType>(type), square_at(to)),
                              expected[type][to])
                        << to_fen(position) << " type " << type << " to "
                        << to_string(square_at(to));
                }
            }
        });
    }
}

}  // namespace
}  // namespace solis::chess
