// The rules that end a game.
#include "solis/chess/rules.h"

#include <algorithm>

#include "solis/chess/movegen.h"

namespace solis::chess {
namespace {

bool on_one_color(Bitboard squares) {
    return (squares & kDarkSquares) == 0 || (squares & ~kDarkSquares) == 0;
}

// Whether some placement of the pieces on the board, with the colours of the bishops' squares as
// they are, is a mate by `c`. tests/chess/rules_test.cpp checks the four-man cases exhaustively.
bool has_mating_material(const Position& position, Color c) {
    const Bitboard heavy = position.pieces(PieceType::Pawn) | position.pieces(PieceType::Rook) |
                           position.pieces(PieceType::Queen);
    if (heavy & position.pieces(c)) return true;
    const Bitboard knights = position.pieces(c, PieceType::Knight);
    const Bitboard bishops = position.pieces(c, PieceType::Bishop);
    if (knights == 0 && bishops == 0) return false;

    const Bitboard enemy_bishops = position.pieces(~c, PieceType::Bishop);
    const Bitboard enemy_blockers =
        position.pieces(~c, PieceType::Pawn) | position.pieces(~c, PieceType::Knight);
    if (knights != 0) {
        // A lone knight needs an enemy piece that blocks its king; a queen would take the knight.
        if (bishops != 0 || more_than_one(knights)) return true;
        return (enemy_blockers | enemy_bishops | position.pieces(~c, PieceType::Rook)) != 0;
    }
    // Bishops of one colour need a blocker that cannot interpose or capture.
    return enemy_blockers != 0 || !on_one_color(bishops | enemy_bishops);
}

// What the pawns of one side attack.
Bitboard pawn_attack_set(const Position& position, Color c) {
    const Bitboard pawns = position.pieces(c, PieceType::Pawn);
    return c == Color::White ? pawn_attacks<Color::White>(pawns)
                             : pawn_attacks<Color::Black>(pawns);
}

// Every pawn has another pawn in front of it, and none can capture a pawn.
bool pawns_are_locked(const Position& position) {
    const Bitboard white = position.pieces(Color::White, PieceType::Pawn);
    const Bitboard black = position.pieces(Color::Black, PieceType::Pawn);
    if (((white << 8) | (black >> 8)) & ~(white | black)) return false;
    return (pawn_attack_set(position, Color::White) & black) == 0 &&
           (pawn_attack_set(position, Color::Black) & white) == 0;
}

// Squares the king of `c` could walk to if all pieces but the pawns were gone.
Bitboard king_reach(const Position& position, Color c) {
    const Bitboard allowed = ~position.pieces(c, PieceType::Pawn) & ~pawn_attack_set(position, ~c);
    Bitboard reach = bit(position.king(c));
    for (Bitboard todo = reach; todo != 0;) {
        const Bitboard found = king_attacks(pop_lowest(todo)) & allowed & ~reach;
        reach |= found;
        todo |= found;
    }
    return reach;
}

struct Reach {
    Bitboard squares;  // where the piece could stand
    Bitboard attacks;  // what it could attack from there
};

// The same for another piece.
Reach piece_reach(const Position& position, Square from) {
    const Piece piece = position.piece_on(from);
    const Bitboard pawns = position.pieces(PieceType::Pawn);
    const Bitboard own_pawns = pawns & position.pieces(color_of(piece));
    Reach reach{bit(from), 0};
    for (Bitboard todo = reach.squares; todo != 0;) {
        const Bitboard attacks = piece_attacks(type_of(piece), pop_lowest(todo), pawns);
        reach.attacks |= attacks;
        const Bitboard found = attacks & ~own_pawns & ~reach.squares;
        reach.squares |= found;
        todo |= found;
    }
    return reach;
}

// Whether the pieces of `c` can neither change the pawn structure nor ever give check.
bool pieces_are_harmless(const Position& position, Color c) {
    const Bitboard enemy_pawns = position.pieces(~c, PieceType::Pawn);
    if (king_reach(position, c) & enemy_pawns) return false;
    Bitboard pieces =
        position.pieces(c) & ~position.pieces(PieceType::Pawn) & ~position.pieces(PieceType::King);
    if (pieces == 0) return true;
    // An enemy pawn leaves its file by capturing a piece.
    const Bitboard disturbing = enemy_pawns | pawn_attack_set(position, ~c);
    const Bitboard enemy_king = king_reach(position, ~c);
    while (pieces != 0) {
        const Reach reach = piece_reach(position, pop_lowest(pieces));
        if ((reach.squares & disturbing) || (reach.attacks & enemy_king)) return false;
    }
    return true;
}

}  // namespace

std::string_view name_of(Termination termination) {
    switch (termination) {
        case Termination::Checkmate:
            return "checkmate";
        case Termination::Stalemate:
            return "stalemate";
        case Termination::InsufficientMaterial:
            return "insufficient material";
        case Termination::BlockedPosition:
            return "blocked position";
        case Termination::FivefoldRepetition:
            return "fivefold repetition";
        case Termination::SeventyFiveMoves:
            return "seventy-five-move rule";
        case Termination::ThreefoldRepetition:
            return "threefold repetition";
        case Termination::FiftyMoves:
            return "fifty-move rule";
    }
    return "unknown";
}

std::optional<Termination> draw_with_moves_left(const Position& position, Claims claims,
                                                int repetitions) {
    if (is_insufficient_material(position)) return Termination::InsufficientMaterial;
    if (is_blocked(position)) return Termination::BlockedPosition;
    if (repetitions >= 5) return Termination::FivefoldRepetition;
    if (position.halfmove_clock() >= kSeventyFiveMoves) return Termination::SeventyFiveMoves;
    if (claims == Claims::Ignored) return std::nullopt;
    if (repetitions >= 3) return Termination::ThreefoldRepetition;
    if (position.halfmove_clock() >= kFiftyMoves) return Termination::FiftyMoves;
    return std::nullopt;
}

std::optional<Outcome> outcome(const Position& position, Claims claims, int repetitions) {
    if (!has_legal_move(position)) {
        if (!position.in_check()) return Outcome{Termination::Stalemate, std::nullopt};
        return Outcome{Termination::Checkmate, ~position.side_to_move()};
    }
    const auto draw = draw_with_moves_left(position, claims, repetitions);
    if (!draw) return std::nullopt;
    return Outcome{*draw, std::nullopt};
}

int count_repetitions(std::span<const std::uint64_t> keys, int halfmove_clock) {
    if (keys.empty()) return 0;
    const std::size_t last = keys.size() - 1;
    const std::size_t reversible = std::min(last, static_cast<std::size_t>(halfmove_clock));
    int count = 1;
    // The same side moves every second ply, and coming back takes at least four.
    for (std::size_t back = 4; back <= reversible; back += 2) {
        if (keys[last - back] == keys[last]) ++count;
    }
    return count;
}

bool is_insufficient_material(const Position& position) {
    // The usual case first: this is asked at every node of a search.
    if (position.pieces(PieceType::Pawn) | position.pieces(PieceType::Rook) |
        position.pieces(PieceType::Queen)) {
        return false;
    }
    return !has_mating_material(position, Color::White) &&
           !has_mating_material(position, Color::Black);
}

bool is_blocked(const Position& position) {
    if (position.pieces(PieceType::Pawn) == 0 || !pawns_are_locked(position)) return false;
    // A check on the board, an en-passant capture or castling is outside the argument below.
    if (position.en_passant() != Square::None || position.castling_rooks() != 0) return false;
    if (position.in_check()) return false;
    // The first pawn move, capture of a pawn or check would have to come from a piece standing
    // where it can never get. So none comes, and without a check there is no mate.
    return pieces_are_harmless(position, Color::White) &&
           pieces_are_harmless(position, Color::Black);
}

bool can_mate(const Position& position, Color c) {
    return has_mating_material(position, c) && !is_blocked(position);
}

}  // namespace solis::chess
