// Selection by counting: sorting all moves to find one of them would dominate decoding.
#include "data/canonical_moves.h"

#include <cassert>

namespace solis::data {

CanonicalMoves::CanonicalMoves(const chess::Position& position)
    : moves_(chess::legal_moves(position)),
      flip_(position.side_to_move() == chess::Color::White ? 0 : 56) {
    counts_.fill(0);
    for (const chess::Move move : moves_) {
        const unsigned from = static_cast<unsigned>(chess::index(move.from())) ^ flip_;
        origins_ |= chess::Bitboard{1} << from;
        ++counts_[from];
    }
}

unsigned CanonicalMoves::key(chess::Move move) const {
    const unsigned from = static_cast<unsigned>(chess::index(move.from())) ^ flip_;
    const unsigned to = static_cast<unsigned>(chess::index(move.to())) ^ flip_;
    return from << 8 | to << 2 | (move.bits() >> 12 & 3U);
}

std::optional<std::uint8_t> CanonicalMoves::number_of(chess::Move move) const {
    const unsigned wanted = key(move);
    unsigned smaller = 0;
    bool found = false;
    for (const chess::Move other : moves_) {
        smaller += key(other) < wanted ? 1 : 0;
        found |= other == move;
    }
    if (!found) return {};
    return static_cast<std::uint8_t>(smaller);
}

chess::Move CanonicalMoves::at(std::size_t number) const {
    assert(number < size());
    chess::Bitboard rest = origins_;
    const auto next_origin = [&] { return static_cast<unsigned>(index(chess::pop_lowest(rest))); };
    unsigned from = next_origin();
    for (; number >= counts_[from]; from = next_origin()) number -= counts_[from];
    chess::Bitboard targets = 0;
    std::array<chess::Move, 64> move_to;  // set where targets is
    for (const chess::Move move : moves_) {
        if ((static_cast<unsigned>(index(move.from())) ^ flip_) != from) continue;
        const unsigned to = static_cast<unsigned>(index(move.to())) ^ flip_;
        targets |= chess::Bitboard{1} << to;
        move_to[to] = move;
    }
    // A pawn that can promote has no other moves: four pieces per target.
    const bool promotes = move_to[static_cast<unsigned>(index(chess::lowest(targets)))].kind() ==
                          chess::MoveKind::Promotion;
    std::size_t skipped = promotes ? number / 4 : number;
    for (; skipped != 0; --skipped) targets &= targets - 1;
    const chess::Move move = move_to[static_cast<unsigned>(index(chess::lowest(targets)))];
    if (!promotes) return move;
    const auto piece = static_cast<chess::PieceType>(index(chess::PieceType::Knight) +
                                                     static_cast<int>(number % 4));
    return chess::Move::promotion(move.from(), move.to(), piece);
}

}  // namespace solis::data
