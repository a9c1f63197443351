// Inputs of Stockfish 15.1's net (HalfKAv2_hm): every piece on its square, as seen from where the
// own king stands.
#pragma once
#include <cstddef>
#include <cstdint>

#include "solis/chess/position.h"

namespace solis::data {

inline constexpr int kNnueKinds = 11;    // own and other pawn .. queen, any king
inline constexpr int kNnueBuckets = 32;  // squares of the own king, up to a flip of files

// How one side sees the board: from below, its king on files e to h. Two positions with equal views
// number the same piece on the same square alike.
struct NnueView {
    chess::Color side;
    std::uint8_t flip;    // what a square's number is xored with
    std::uint8_t bucket;  // of the own king's square

    [[nodiscard]] int input(chess::Piece piece, chess::Square square) const {
        const int other = chess::color_of(piece) == side ? 0 : 1;
        const int kind = chess::type_of(piece) == chess::PieceType::King
                             ? kNnueKinds - 1
                             : 2 * index(chess::type_of(piece)) + other;
        return (index(square) ^ flip) + 64 * kind + 64 * kNnueKinds * bucket;
    }
    friend bool operator==(const NnueView&, const NnueView&) = default;
};

[[nodiscard]] inline NnueView nnue_view(const chess::Position& position, chess::Color side) {
    const chess::Square king = position.king(side);
    const int file = chess::file_of(king);
    const int flip = (side == chess::Color::White ? 0 : 56) ^ (file < 4 ? 7 : 0);
    const int bucket = (7 - chess::relative_rank(side, king)) * 4 + (file < 4 ? file : 7 - file);
    return {side, static_cast<std::uint8_t>(flip), static_cast<std::uint8_t>(bucket)};
}

// Calls found(input) for every piece.
template <class Found>
void for_each_nnue_input(const chess::Position& position, NnueView view, Found&& found) {
    for (chess::Bitboard rest = position.pieces(); rest != 0;) {
        const chess::Square square = chess::pop_lowest(rest);
        found(view.input(position.piece_on(square), square));
    }
}

// Which of the net's eight stacks of layers is in charge.
[[nodiscard]] inline std::size_t nnue_stack(const chess::Position& position) {
    return static_cast<std::size_t>(chess::count(position.pieces()) - 1) / 4;
}

}  // namespace solis::data
