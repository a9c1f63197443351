// UCI move notation.
#include "solis/chess/uci_move.h"

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/fen.h"
#include "solis/chess/legality.h"

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

// Castling written as king takes rook or, failing that, by where the king lands.
Move find_castling(const Position& position, Square from, Square to) {
    Move by_king_target;
    for (const CastlingSide side : {CastlingSide::King, CastlingSide::Queen}) {
        const Move castling = legal_castling(position, side);
        if (castling.is_none() || castling.from() != from) continue;
        if (castling.to() == to) return castling;
        if (king_target(castling, position.side_to_move()) == to) by_king_target = castling;
    }
    return by_king_target;
}

// No move where there is no legal one.
Move find_move(const Position& position, Square from, Square to, PieceType promotion) {
    const PieceType type = type_of(position.piece_on(from));
    if (type == PieceType::None) return Move();
    // A king step comes before castling that ends on the same square.
    if (legal_origins(position, type, to, bit(from)) != 0) {
        return compose_move(position, from, to, promotion);
    }
    const bool may_castle = type == PieceType::King && promotion == PieceType::None;
    return may_castle ? find_castling(position, from, to) : Move();
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
        return fail(fmt::format("{} is not a move in UCI notation", in_quotes(text)),
                    "moves look like e2e4, e1g1 or e7e8q");
    }
    const Square from = square_from_chars(text[0], text[1]);
    const Square to = square_from_chars(text[2], text[3]);
    const PieceType promotion = text.size() == 5 ? promotion_from_char(text[4]) : PieceType::None;
    const bool well_formed = from != Square::None && to != Square::None &&
                             (text.size() == 4 || promotion != PieceType::None);
    if (!well_formed) {
        return fail(fmt::format("{} is not a move in UCI notation", in_quotes(text)),
                    "moves look like e2e4, e1g1 or e7e8q");
    }
    if (const Move move = find_move(position, from, to, promotion); !move.is_none()) return move;
    return fail(fmt::format("move '{}' is not legal in '{}'", text, to_fen(position)));
}

}  // namespace solis::chess
