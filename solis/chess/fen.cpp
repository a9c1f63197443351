// FEN text <-> Position.
#include "solis/chess/fen.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "solis/base/text.h"

namespace solis::chess {
namespace {

tl::unexpected<Error> bad_field(std::string_view field, std::string_view text,
                                std::string_view what) {
    return fail(fmt::format("{} {}: {}", field, in_quotes(text), what));
}

std::vector<std::string_view> split_fields(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    std::vector<std::string_view> fields;
    std::size_t at = text.find_first_not_of(kBlank);
    while (at != std::string_view::npos && fields.size() < 7) {
        const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
        fields.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlank, end);
    }
    return fields;
}

Result<void> parse_placement(std::string_view field, Setup& setup) {
    int rank = 7, file = 0;
    bool last_was_digit = false;
    for (const char c : field) {
        if (c == '/') {
            if (file != 8) {
                return bad_field("piece placement", field,
                                 fmt::format("rank {} has {} squares, expected 8", rank + 1, file));
            }
            if (--rank < 0) return bad_field("piece placement", field, "more than 8 ranks");
            file = 0;
            last_was_digit = false;
            continue;
        }
        const bool is_digit = c >= '1' && c <= '8';
        if (is_digit && last_was_digit) {
            return bad_field("piece placement", field, "two digits in a row");
        }
        last_was_digit = is_digit;
        const Piece piece = piece_from_char(c);
        if (!is_digit && piece == Piece::None) {
            return bad_field("piece placement", field,
                             fmt::format("unexpected character {}", in_quotes({&c, 1})));
        }
        const int width = is_digit ? c - '0' : 1;
        if (file + width > 8) {
            return bad_field("piece placement", field,
                             fmt::format("rank {} has more than 8 squares", rank + 1));
        }
        if (!is_digit) setup.board[index(make_square(file, rank))] = piece;
        file += width;
    }
    if (rank != 0 || file != 8) {
        return bad_field("piece placement", field,
                         fmt::format("ends on rank {} after {} squares", rank + 1, file));
    }
    return {};
}

std::optional<Square> find_king(const Setup& setup, Color c) {
    for (int i = 0; i < 64; ++i) {
        if (setup.board[i] == make_piece(c, PieceType::King)) return square_at(i);
    }
    return std::nullopt;
}

// K or Q: the outermost rook on that side of the king (X-FEN).
Square outermost_rook(const Setup& setup, Color c, Square king, CastlingSide side) {
    const bool king_side = side == CastlingSide::King;
    const int step = king_side ? -1 : 1;
    for (int file = king_side ? 7 : 0; file != file_of(king); file += step) {
        const Square s = make_square(file, home_rank(c));
        if (setup.board[index(s)] == make_piece(c, PieceType::Rook)) return s;
    }
    return Square::None;
}

Result<void> parse_castling(std::string_view field, Setup& setup) {
    if (field == "-") return {};
    for (const char c : field) {
        const Color color = c >= 'a' ? Color::Black : Color::White;
        const char upper = color == Color::Black ? static_cast<char>(c - 'a' + 'A') : c;
        const auto king = find_king(setup, color);
        if (!king || rank_of(*king) != home_rank(color)) {
            return bad_field("castling", field,
                             fmt::format("{} has no king on its home rank", name_of(color)));
        }
        Square rook = Square::None;
        if (upper == 'K' || upper == 'Q') {
            rook = outermost_rook(setup, color, *king,
                                  upper == 'K' ? CastlingSide::King : CastlingSide::Queen);
        } else if (upper >= 'A' && upper <= 'H') {
            rook = make_square(upper - 'A', home_rank(color));
        } else {
            return bad_field("castling", field,
                             fmt::format("unexpected character {}", in_quotes({&c, 1})));
        }
        const bool is_rook =
            rook != Square::None && setup.board[index(rook)] == make_piece(color, PieceType::Rook);
        if (!is_rook) {
            return bad_field(
                "castling", field,
                fmt::format("{} has no rook for {}", name_of(color), in_quotes({&c, 1})));
        }
        if (contains(setup.castling_rooks, rook)) {
            return bad_field("castling", field, fmt::format("{} given twice", in_quotes({&c, 1})));
        }
        setup.castling_rooks |= bit(rook);
    }
    return {};
}

Result<void> parse_en_passant(std::string_view field, Setup& setup) {
    if (field == "-") return {};
    if (field.size() == 2) setup.en_passant = square_from_chars(field[0], field[1]);
    if (setup.en_passant == Square::None) {
        return bad_field("en passant", field, "expected a square or '-'");
    }
    return {};
}

Result<void> parse_counter(std::string_view name, std::string_view field, int& value) {
    const char* const end = field.data() + field.size();
    const auto [stopped, error] = std::from_chars(field.data(), end, value);
    if (error != std::errc{} || stopped != end || (field.front() == '-' && value == 0)) {
        return bad_field(name, field, "expected a whole number");
    }
    return {};
}

Result<Setup> parse_fields(const std::vector<std::string_view>& fields) {
    Setup setup;
    if (auto ok = parse_placement(fields[0], setup); !ok) return tl::unexpected(ok.error());
    if (fields[1] != "w" && fields[1] != "b") {
        return bad_field("side to move", fields[1], "expected 'w' or 'b'");
    }
    setup.side_to_move = fields[1] == "w" ? Color::White : Color::Black;
    if (auto ok = parse_castling(fields[2], setup); !ok) return tl::unexpected(ok.error());
    if (auto ok = parse_en_passant(fields[3], setup); !ok) return tl::unexpected(ok.error());
    if (fields.size() > 4) {
        auto ok = parse_counter("halfmove clock", fields[4], setup.halfmove_clock);
        if (!ok) return tl::unexpected(ok.error());
    }
    if (fields.size() > 5) {
        auto ok = parse_counter("fullmove number", fields[5], setup.fullmove_number);
        if (!ok) return tl::unexpected(ok.error());
    }
    return setup;
}

std::string placement_text(const Position& position) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const Piece piece = position.piece_on(make_square(file, rank));
            if (piece == Piece::None) {
                ++empty;
                continue;
            }
            if (empty != 0) text += static_cast<char>('0' + empty);
            empty = 0;
            text += to_char(piece);
        }
        if (empty != 0) text += static_cast<char>('0' + empty);
        if (rank != 0) text += '/';
    }
    return text;
}

char castling_char(const Setup& setup, Color c, Square king, Square rook, CastlingSide side,
                   CastlingFen style) {
    char letter = side == CastlingSide::King ? 'K' : 'Q';
    const bool named_by_file =
        style == CastlingFen::Shredder || outermost_rook(setup, c, king, side) != rook;
    if (named_by_file) letter = static_cast<char>('A' + file_of(rook));
    return c == Color::White ? letter : static_cast<char>(letter - 'A' + 'a');
}

std::string castling_text(const Position& position, CastlingFen style) {
    if (position.castling_rooks() == 0) return "-";
    const Setup setup = position.setup();
    std::string text;
    for (const Color c : {Color::White, Color::Black}) {
        for (const CastlingSide side : {CastlingSide::King, CastlingSide::Queen}) {
            const Square rook = position.castling_rook(c, side);
            if (rook == Square::None) continue;
            text += castling_char(setup, c, position.king(c), rook, side, style);
        }
    }
    return text;
}

}  // namespace

Result<Position> parse_fen(std::string_view text) {
    const std::vector<std::string_view> fields = split_fields(text);
    if (fields.size() < 4 || fields.size() > 6) {
        return fail(fmt::format("FEN {}: {} fields, expected 4 to 6", in_quotes(text),
                                fields.size() > 6 ? "more than 6" : std::to_string(fields.size())),
                    fmt::format("a complete FEN looks like: {}", kStartFen));
    }
    const auto setup = parse_fields(fields);
    if (!setup) return fail_in("FEN", setup.error());
    auto position = Position::from(*setup);
    if (!position) return fail_in(fmt::format("FEN {}", in_quotes(text)), position.error());
    return position;
}

std::string to_fen_without_counters(const Position& position, CastlingFen style) {
    return fmt::format("{} {} {} {}", placement_text(position),
                       position.side_to_move() == Color::White ? 'w' : 'b',
                       castling_text(position, style), to_string(position.en_passant()));
}

std::string to_fen(const Position& position, CastlingFen style) {
    return fmt::format("{} {} {}", to_fen_without_counters(position, style),
                       position.halfmove_clock(), position.fullmove_number());
}

}  // namespace solis::chess
