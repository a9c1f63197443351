// UCI move notation.
#include "chess/uci_move.h"

#include "chess/fen.h"
#include "chess/movegen.h"

namespace solis::chess {
namespace {

// Where the king lands when castling is written as a king move.
Square king_target(Move castling, Color side) {
    return castled_king_square(
        side, castling.to() > castling.from() ? CastlingSide::King : CastlingSide::Queen);
}

PieceType promotion_from_char(char c) {
    switch (c) {
        case 'n':
            return PieceType::Knight;
        case 'b':
            return PieceType::Bishop;
        case 'r':
            return PieceType::Rook;
        case 'q':
            return PieceType::Queen;
        default:
            return PieceType::None;
    }
}

}  // namespace

std::string to_uci(const Position& position, Move move, CastlingNotation castling) {
    if (move.is_none()) return "0000";
    Square to = move.to();
    const bool as_king_move =
        castling == CastlingNotation::Automatic && !position.needs_chess960_castling();
    if (move.kind() == MoveKind::Castling && as_king_move) {
        to = king_target(move, position.side_to_move());
    }
    std::string text = to_string(move.from()) + to_string(to);
    if (const PieceType piece = move.promotion_piece(); piece != PieceType::None) {
        text += static_cast<char>(to_char(piece) - 'A' + 'a');
    }
    return text;
}

Result<Move> parse_uci(const Position& position, std::string_view text) {
    if (text.size() != 4 && text.size() != 5) {
        return fail(fmt::format("'{}' is not a move in UCI notation", text.substr(0, 20)),
                    "moves look like e2e4, e1g1 or e7e8q");
    }
    const Square from = square_from_chars(text[0], text[1]);
    const Square to = square_from_chars(text[2], text[3]);
    const PieceType promotion = text.size() == 5 ? promotion_from_char(text[4]) : PieceType::None;
    const bool well_formed = from != Square::None && to != Square::None &&
                             (text.size() == 4 || promotion != PieceType::None);
    if (!well_formed) {
        return fail(fmt::format("'{}' is not a move in UCI notation", text),
                    "moves look like e2e4, e1g1 or e7e8q");
    }
    Move castling;
    for (const Move move : legal_moves(position)) {
        if (move.from() != from) continue;
        if (move.to() == to && move.promotion_piece() == promotion) return move;
        // A king step to the same square is found above, so this is castling written as e1g1.
        if (move.kind() == MoveKind::Castling && promotion == PieceType::None &&
            king_target(move, position.side_to_move()) == to) {
            castling = move;
        }
    }
    if (!castling.is_none()) return castling;
    return fail(fmt::format("move '{}' is not legal in '{}'", text, to_fen(position)));
}

}  // namespace solis::chess
