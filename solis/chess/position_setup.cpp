// Builds a Position from its parts and refuses those that are not chess.
#include <algorithm>

#include <fmt/format.h>

#include "solis/chess/position.h"
#include "solis/chess/zobrist.h"

namespace solis::chess {
namespace {

tl::unexpected<Error> illegal(std::string_view field, std::string what) {
    return fail(fmt::format("{}: {}", field, what));
}

int count_of(const Setup& setup, Piece piece) {
    return static_cast<int>(std::count(setup.board.begin(), setup.board.end(), piece));
}

// Promotions are paid for with pawns. This also bounds the number of legal moves (218).
Result<void> check_material(const Setup& setup, Color c) {
    const auto number = [&](PieceType t) { return count_of(setup, make_piece(c, t)); };
    if (const int kings = number(PieceType::King); kings != 1) {
        return illegal("piece placement",
                       fmt::format("{} has {} kings, expected 1", name_of(c), kings));
    }
    const int pawns = number(PieceType::Pawn);
    if (pawns > 8) {
        return illegal("piece placement",
                       fmt::format("{} has {} pawns, at most 8 are possible", name_of(c), pawns));
    }
    const int promoted =
        std::max(0, number(PieceType::Knight) - 2) + std::max(0, number(PieceType::Bishop) - 2) +
        std::max(0, number(PieceType::Rook) - 2) + std::max(0, number(PieceType::Queen) - 1);
    if (promoted > 8 - pawns) {
        return illegal("piece placement",
                       fmt::format("{} has {} pawns and {} promoted pieces, at most 8 together",
                                   name_of(c), pawns, promoted));
    }
    return {};
}

Result<void> check_pawns(const Setup& setup) {
    for (int i = 0; i < 64; ++i) {
        const Square s = square_at(i);
        if (rank_of(s) != 0 && rank_of(s) != 7) continue;
        if (type_of(setup.board[i]) == PieceType::Pawn) {
            return illegal("piece placement", fmt::format("pawn on {}", to_string(s)));
        }
    }
    return {};
}

Result<void> check_castling(const Position& position, Bitboard castling_rooks) {
    for (const Color c : {Color::White, Color::Black}) {
        const Bitboard rooks = castling_rooks & rank_mask(home_rank(c));
        if (rooks == 0) continue;
        const Square king = position.king(c);
        if (rank_of(king) != home_rank(c)) {
            return illegal("castling", fmt::format("{} king on {} is not on its home rank",
                                                   name_of(c), to_string(king)));
        }
        if (const Bitboard wrong = rooks & ~position.pieces(c, PieceType::Rook); wrong != 0) {
            return illegal("castling",
                           fmt::format("no {} rook on {}", name_of(c), to_string(lowest(wrong))));
        }
        const Bitboard queen_side = rooks & (bit(king) - 1);
        if (more_than_one(queen_side) || more_than_one(rooks ^ queen_side)) {
            return illegal("castling", fmt::format("{} has two rights on one side", name_of(c)));
        }
    }
    if (castling_rooks & ~(kRank1 | kRank8)) {
        return illegal("castling", "a castling rook is not on a home rank");
    }
    return {};
}

// The last move must have been a double step that passed over this square.
Result<void> check_en_passant(const Position& position, Square target) {
    if (target == Square::None) return {};
    const Color us = position.side_to_move();
    const std::string name = to_string(target);
    if (relative_rank(us, target) != 5) {
        return illegal(
            "en passant",
            fmt::format("{} is not on the sixth rank of the side to move ({})", name, name_of(us)));
    }
    const Square pawn = offset(target, -forward(us));
    if (position.piece_on(pawn) != make_piece(~us, PieceType::Pawn)) {
        return illegal("en passant", fmt::format("{} given, but no {} pawn stands on {}", name,
                                                 name_of(~us), to_string(pawn)));
    }
    const Square origin = offset(target, forward(us));
    for (const Square s : {target, origin}) {
        if (position.piece_on(s) != Piece::None) {
            return illegal("en passant",
                           fmt::format("{} given, but {} is not empty", name, to_string(s)));
        }
    }
    return {};
}

Result<void> check_counter(std::string_view field, int value, int lowest_allowed) {
    if (value >= lowest_allowed && value <= kMaxCounter) return {};
    return illegal(field, fmt::format("{} is outside {}..{}", value, lowest_allowed, kMaxCounter));
}

}  // namespace

Result<Position> Position::from(const Setup& setup) {
    for (const Color c : {Color::White, Color::Black}) {
        if (auto ok = check_material(setup, c); !ok) return tl::unexpected(ok.error());
    }
    if (auto ok = check_pawns(setup); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_counter("halfmove clock", setup.halfmove_clock, 0); !ok) {
        return tl::unexpected(ok.error());
    }
    if (auto ok = check_counter("fullmove number", setup.fullmove_number, 1); !ok) {
        return tl::unexpected(ok.error());
    }

    Position position;
    position.by_type_.fill(0);
    position.by_color_.fill(0);
    position.board_.fill(Piece::None);
    position.key_ = 0;
    for (int i = 0; i < 64; ++i) {
        if (setup.board[i] != Piece::None) position.put(setup.board[i], square_at(i));
    }
    position.side_to_move_ = setup.side_to_move;
    position.castling_rooks_ = setup.castling_rooks;
    position.halfmove_clock_ = static_cast<std::uint16_t>(setup.halfmove_clock);
    position.fullmove_number_ = static_cast<std::uint16_t>(setup.fullmove_number);
    position.en_passant_ = Square::None;

    const Color them = ~setup.side_to_move;
    if (position.is_attacked(position.king(them), setup.side_to_move, position.pieces())) {
        return illegal("side to move", fmt::format("{} is in check, but {} is to move",
                                                   name_of(them), name_of(setup.side_to_move)));
    }
    if (auto ok = check_castling(position, setup.castling_rooks); !ok) {
        return tl::unexpected(ok.error());
    }
    if (auto ok = check_en_passant(position, setup.en_passant); !ok) {
        return tl::unexpected(ok.error());
    }
    position.key_ = position.recomputed_key();
    if (setup.en_passant != Square::None) position.set_en_passant_if_legal(setup.en_passant);
    return position;
}

const Position& Position::start() {
    static const Position start = [] {
        Setup setup;
        constexpr std::array kBackRank{PieceType::Rook,   PieceType::Knight, PieceType::Bishop,
                                       PieceType::Queen,  PieceType::King,   PieceType::Bishop,
                                       PieceType::Knight, PieceType::Rook};
        for (int file = 0; file < 8; ++file) {
            for (const Color c : {Color::White, Color::Black}) {
                setup.board[index(make_square(file, home_rank(c)))] =
                    make_piece(c, kBackRank[file]);
                const int pawn_rank = c == Color::White ? 1 : 6;
                setup.board[index(make_square(file, pawn_rank))] = make_piece(c, PieceType::Pawn);
            }
        }
        setup.castling_rooks =
            bit(Square::A1) | bit(Square::H1) | bit(Square::A8) | bit(Square::H8);
        return *from(setup);
    }();
    return start;
}

Setup Position::setup() const {
    return {board_, side_to_move_, castling_rooks_, en_passant_, halfmove_clock_, fullmove_number_};
}

Position Position::color_flipped() const {
    Setup flipped = setup();
    for (int i = 0; i < 64; ++i) {
        const Piece p = board_[index(flip_rank(square_at(i)))];
        flipped.board[i] = p == Piece::None ? p : make_piece(~color_of(p), type_of(p));
    }
    flipped.side_to_move = ~side_to_move_;
    flipped.castling_rooks = __builtin_bswap64(castling_rooks_);
    if (en_passant_ != Square::None) flipped.en_passant = flip_rank(en_passant_);
    return *from(flipped);
}

bool Position::needs_chess960_castling() const {
    for (const Color c : {Color::White, Color::Black}) {
        const Bitboard rooks = castling_rooks_ & rank_mask(home_rank(c));
        if (rooks == 0) continue;
        if (file_of(king(c)) != 4) return true;
        if (rooks & ~(kFileA | kFileH)) return true;
    }
    return false;
}

}  // namespace solis::chess
