// Counting through sets of targets: writing down and sorting all moves would dominate decoding.
#include "solis/data/store/canonical_moves.h"

namespace solis::data {

chess::Bitboard CanonicalMoves::turned(chess::Bitboard squares) const {
    return position_.side_to_move() == chess::Color::White ? squares : __builtin_bswap64(squares);
}

chess::Square CanonicalMoves::turned(chess::Square square) const {
    return position_.side_to_move() == chess::Color::White ? square : flip_rank(square);
}

std::size_t CanonicalMoves::size() const {
    std::size_t total = 0;
    for (chess::Bitboard rest = targets_.origins; rest != 0;) {
        total += count_from(chess::pop_lowest(rest));
    }
    return total;
}

// Sets do not say what kind of move it is, but the position does.
chess::Move CanonicalMoves::make_move(chess::Square from, chess::Square to,
                                      std::size_t piece) const {
    if (chess::contains(targets_.promoting, from)) {
        const int type = chess::index(chess::PieceType::Knight) + static_cast<int>(piece);
        return chess::Move::promotion(from, to, static_cast<chess::PieceType>(type));
    }
    if (chess::contains(position_.pieces(position_.side_to_move()), to)) {
        return chess::Move::castling(from, to);
    }
    const bool moves_pawn = type_of(position_.piece_on(from)) == chess::PieceType::Pawn;
    if (moves_pawn && to == position_.en_passant() && file_of(from) != file_of(to)) {
        return chess::Move::en_passant(from, to);
    }
    return chess::Move(from, to);
}

std::optional<std::uint8_t> CanonicalMoves::number_of(chess::Move move) const {
    const chess::Square from = move.from(), to = move.to();
    if (!chess::contains(targets_.origins, from)) return {};
    if (!chess::contains(targets_from(from), to)) return {};
    const auto piece = static_cast<std::size_t>(move.bits() >> 12 & 3);
    if (make_move(from, to, piece) != move) return {};
    std::size_t number = 0;
    const chess::Bitboard before = chess::bit(turned(from)) - 1;
    for (chess::Bitboard rest = turned(targets_.origins) & before; rest != 0;) {
        number += count_from(turned(chess::pop_lowest(rest)));
    }
    const chess::Bitboard nearer = turned(targets_from(from)) & (chess::bit(turned(to)) - 1);
    number += static_cast<std::size_t>(chess::count(nearer)) * pieces_per_target(from) + piece;
    return static_cast<std::uint8_t>(number);
}

chess::Move CanonicalMoves::at(std::size_t number) const {
    for (chess::Bitboard rest = turned(targets_.origins); rest != 0;) {
        const chess::Square from = turned(chess::pop_lowest(rest));
        const std::size_t count = count_from(from);
        if (number >= count) {
            number -= count;
            continue;
        }
        const std::size_t pieces = pieces_per_target(from);
        chess::Bitboard targets = turned(targets_from(from));
        for (std::size_t skipped = number / pieces; skipped != 0; --skipped) targets &= targets - 1;
        return make_move(from, turned(chess::lowest(targets)), number % pieces);
    }
    return {};
}

}  // namespace solis::data
