// Squares beside a king as bytes.
#include "solis/data/inputs/king_danger.h"

namespace solis::data {
namespace {

using chess::Bitboard;

// One bit for each place beside the king whose square is in `squares`, all of which are beside it.
std::uint64_t places_of(Bitboard squares, int king) {
    constexpr int kB2 = 9;
    // As if the king stood on b2: its neighbours are on a1 to c3.
    const Bitboard x = king >= kB2 ? squares >> (king - kB2) : squares << (kB2 - king);
    return (x & 7) | (x >> 5 & 8) | (x >> 6 & 16) | (x >> 11 & 0xe0);
}

}  // namespace

KingDanger king_danger(const chess::Position& position, chess::Color side,
                       const chess::AttackedSquares& own, const chess::AttackedSquares& enemy) {
    const chess::Square square = position.king(side);
    const int king = index(square);
    const Bitboard ring = chess::king_attacks(square);
    KingDanger danger = 0;
    int shift = 0;
    for (const Bitboard attacked :
         {enemy.pawn, enemy.knight, enemy.bishop, enemy.rook, enemy.queen, enemy.king}) {
        danger |= places_of(ring & attacked, king) << shift;
        shift += 8;
    }
    danger |= places_of(ring & ~(enemy.all() | position.pieces(side)), king) << shift;
    shift = kPlaceBits;
    // A check is safe where nothing takes back.
    const Bitboard safe = ~(own.all() | position.pieces(~side));
    const Bitboard straight = chess::rook_attacks(square, position.pieces());
    const Bitboard diagonal = chess::bishop_attacks(square, position.pieces());
    for (const Bitboard checks :
         {chess::knight_attacks(square) & enemy.knight, diagonal & enemy.bishop,
          straight & enemy.rook, (straight | diagonal) & enemy.queen}) {
        const Bitboard from = checks & safe;
        danger |= static_cast<std::uint64_t>(from != 0) << shift;
        danger |= static_cast<std::uint64_t>((from & (from - 1)) != 0) << (shift + 1);
        shift += 2;
    }
    return danger;
}

}  // namespace solis::data
