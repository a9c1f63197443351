// SAN: text is taken apart from its end, then attack sets find the pieces that can be meant.
#include "solis/chess/san.h"

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/fen.h"
#include "solis/chess/legality.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"

namespace solis::chess {
namespace {

constexpr Bitboard kAnywhere = ~Bitboard{0};

// What a move says, before anybody asks whether it is legal.
struct Shape {
    PieceType piece = PieceType::None;  // None: not a move
    Square to = Square::None;           // None: castling
    CastlingSide castling = CastlingSide::King;
    PieceType promotion = PieceType::None;
    Bitboard from = kAnywhere;
};

// None for any other letter. Capitals only: 'b' is a file.
constexpr PieceType piece_from_letter(char c) {
    switch (c) {
        case 'N':
            return PieceType::Knight;
        case 'B':
            return PieceType::Bishop;
        case 'R':
            return PieceType::Rook;
        case 'Q':
            return PieceType::Queen;
        case 'K':
            return PieceType::King;
        case 'P':
            return PieceType::Pawn;
        default:
            return PieceType::None;
    }
}

constexpr bool is_decoration(char c) { return c == '+' || c == '#' || c == '!' || c == '?'; }

// Check signs, annotations and "e.p." say nothing that the position does not.
std::string_view without_decorations(std::string_view text) {
    while (!text.empty() && is_decoration(text.back())) text.remove_suffix(1);
    if (text.ends_with('.') && text.ends_with("e.p.")) text.remove_suffix(4);
    if (text.ends_with('p') && text.ends_with("ep")) text.remove_suffix(2);
    return text;
}

bool is_castling(std::string_view text, Shape& shape) {
    if (text[1] != '-') return false;
    if (text == "O-O" || text == "0-0" || text == "o-o") {
        shape.castling = CastlingSide::King;
    } else if (text == "O-O-O" || text == "0-0-0" || text == "o-o-o") {
        shape.castling = CastlingSide::Queen;
    } else {
        return false;
    }
    shape.piece = PieceType::King;
    return true;
}

// Takes "=Q", "Q", "(Q)" or the same in lower case off the end.
PieceType take_promotion(std::string_view& text) {
    if (text.ends_with(')')) text.remove_suffix(1);
    if (text.empty()) return PieceType::None;
    const char letter = text.back();
    const PieceType piece =
        piece_from_letter(letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter);
    if (piece == PieceType::None) return PieceType::None;
    text.remove_suffix(1);
    while (!text.empty() && (text.back() == '=' || text.back() == '(' || text.back() == '/')) {
        text.remove_suffix(1);
    }
    return piece;
}

// What stands between piece letter and target: an origin and signs such as 'x'. False if neither.
bool read_origin(std::string_view text, Bitboard& from) {
    for (const char c : text) {
        if (c >= 'a' && c <= 'h') {
            from &= file_mask(c - 'a');
        } else if (c >= '1' && c <= '8') {
            from &= rank_mask(c - '1');
        } else if (c != 'x' && c != 'X' && c != ':' && c != '-') {
            return false;
        }
    }
    return true;
}

Shape read_shape(std::string_view text) {
    text = without_decorations(text);
    Shape shape;
    if (text.size() < 2) return shape;
    if (is_castling(text, shape)) return shape;
    const bool ends_in_rank = text.back() >= '1' && text.back() <= '8';
    if (!ends_in_rank) shape.promotion = take_promotion(text);
    PieceType piece = text.empty() ? PieceType::None : piece_from_letter(text.front());
    if (piece != PieceType::None) {
        text.remove_prefix(1);
    } else {
        piece = PieceType::Pawn;
    }
    if (text.size() < 2) return shape;
    shape.to = square_from_chars(text[text.size() - 2], text.back());
    text.remove_suffix(2);
    if (shape.to == Square::None || !read_origin(text, shape.from)) return shape;
    // A pawn stays on its file unless the move says otherwise.
    if (piece == PieceType::Pawn && shape.from == kAnywhere) {
        shape.from = file_mask(file_of(shape.to));
    }
    shape.piece = piece;
    return shape;
}

Move find_shape(const Position& position, const Shape& shape) {
    if (shape.piece == PieceType::None) return Move();
    if (shape.to == Square::None) return legal_castling(position, shape.castling);
    const Bitboard origins = legal_origins(position, shape.piece, shape.to, shape.from);
    if (origins == 0 || more_than_one(origins)) return Move();
    return compose_move(position, lowest(origins), shape.to, shape.promotion);
}

// g1f3 reads as a pawn move at first; e1g1 as well.
Move find_coordinates(const Position& position, std::string_view text) {
    text = without_decorations(text);
    const bool looks_like_it = text.size() >= 4 && text.size() <= 5 && text[1] >= '1' &&
                               text[1] <= '8' && text[3] >= '1' && text[3] <= '8';
    if (!looks_like_it) return Move();
    return parse_uci(position, text).value_or(Move());
}

std::string origin_list(Bitboard origins) {
    std::string list;
    while (origins != 0) {
        const Square from = pop_lowest(origins);
        if (!list.empty()) list += origins == 0 ? " and " : ", ";
        list += to_string(from);
    }
    return list;
}

// Why find_shape found nothing.
tl::unexpected<Error> explain(const Position& position, std::string_view text) {
    const std::string name = printable(text, 20), fen = to_fen(position);
    if (text == "--" || text == "Z0" || text == "0000" || text == "@@@@" || text == "null") {
        return fail(fmt::format("'{}' is a null move, which is not a move of chess", name));
    }
    const Shape shape = read_shape(text);
    if (shape.piece == PieceType::None) {
        return fail(fmt::format("'{}' is not a move", name),
                    "moves look like e4, Nf3, exd5, O-O or e8=Q");
    }
    if (shape.to != Square::None) {
        const Bitboard origins = legal_origins(position, shape.piece, shape.to, shape.from);
        if (more_than_one(origins)) {
            return fail(fmt::format("'{}' is ambiguous in '{}': the pieces on {} can go there",
                                    name, fen, origin_list(origins)));
        }
        if (origins != 0 && shape.promotion == PieceType::None) {
            return fail(fmt::format("'{}' in '{}' does not say what the pawn becomes", name, fen),
                        fmt::format("for example {}=Q", name));
        }
    }
    return fail(fmt::format("'{}' is not legal in '{}'", name, fen));
}

// The shortest origin that tells `from` apart from the other pieces that can go to the target.
void append_disambiguation(std::string& text, Bitboard origins, Square from) {
    const Bitboard others = origins ^ bit(from);
    if (others == 0) return;
    const bool file_tells = (others & file_mask(file_of(from))) == 0;
    const bool rank_tells = (others & rank_mask(rank_of(from))) == 0;
    if (file_tells || !rank_tells) text += file_char(file_of(from));
    if (!file_tells) text += rank_char(rank_of(from));
}

void append_plain_move(std::string& text, const Position& position, Move move) {
    const Square from = move.from(), to = move.to();
    const PieceType type = type_of(position.piece_on(from));
    const bool capture = position.is_capture(move);
    if (type == PieceType::Pawn) {
        if (capture) text += file_char(file_of(from));
    } else {
        text += to_char(type);
        if (type != PieceType::King) {
            append_disambiguation(text, legal_origins(position, type, to), from);
        }
    }
    if (capture) text += 'x';
    text += file_char(file_of(to));
    text += rank_char(rank_of(to));
    if (move.kind() == MoveKind::Promotion) {
        text += '=';
        text += to_char(move.promotion_piece());
    }
}

}  // namespace

void append_san(std::string& text, const Position& position, Move move) {
    if (move.kind() == MoveKind::Castling) {
        text += move.to() > move.from() ? "O-O" : "O-O-O";
    } else {
        append_plain_move(text, position, move);
    }
    const Position child = position.after(move);
    if (child.in_check()) text += has_legal_move(child) ? '+' : '#';
}

std::string to_san(const Position& position, Move move) {
    std::string text;
    append_san(text, position, move);
    return text;
}

Move match_san(const Position& position, std::string_view text) {
    const Move move = find_shape(position, read_shape(text));
    return move.is_none() ? find_coordinates(position, text) : move;
}

Result<Move> parse_san(const Position& position, std::string_view text) {
    const Move move = match_san(position, text);
    if (move.is_none()) return explain(position, text);
    return move;
}

}  // namespace solis::chess
