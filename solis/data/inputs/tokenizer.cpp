// Position <-> tokens.
#include "solis/data/inputs/tokenizer.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/chess/fen.h"

namespace solis::data {
namespace {

using chess::Color;
using chess::Piece;
using chess::Square;

constexpr std::string_view kDeepmindAlphabet = "0123456789abcdefghpnrkqPBNRQKw.";
constexpr std::string_view kReferenceAlphabet = "0123456789abcdefghpnrkqPBNRQKwb-.";

constexpr int kFirstSquare = 1, kCastling = 65, kEnPassant = 69, kHalfmoveAt = 71, kFullmoveAt = 74;
constexpr int kCounterWidth = 3, kMaxCounter = 999;

struct Alphabet {
    std::array<std::uint8_t, 128> token_of{};
    std::array<std::uint8_t, 16> token_of_piece{};  // by index(Piece)

    constexpr explicit Alphabet(std::string_view characters) {
        for (std::size_t i = 0; i < characters.size(); ++i) {
            token_of[static_cast<std::size_t>(characters[i])] = static_cast<std::uint8_t>(i);
        }
        for (int p = 0; p < 16; ++p) {
            const char c = chess::to_char(static_cast<Piece>(p));
            token_of_piece[static_cast<std::size_t>(p)] = token_of[static_cast<std::size_t>(c)];
        }
    }
    [[nodiscard]] constexpr std::uint8_t operator()(char c) const {
        return token_of[static_cast<std::size_t>(c)];
    }
};

constexpr Alphabet kDeepmind{kDeepmindAlphabet}, kReference{kReferenceAlphabet};

std::string_view characters_of(Tokenizer tokenizer) {
    return tokenizer == Tokenizer::Deepmind ? kDeepmindAlphabet : kReferenceAlphabet;
}

void put_castling(const chess::Position& position, const Alphabet& alphabet, Tokens& tokens) {
    int at = kCastling;
    for (const Color c : {Color::White, Color::Black}) {
        for (const auto side : {chess::CastlingSide::King, chess::CastlingSide::Queen}) {
            if (position.castling_rook(c, side) == Square::None) continue;
            const auto type = side == chess::CastlingSide::King ? chess::PieceType::King
                                                                : chess::PieceType::Queen;
            tokens[at++] = alphabet.token_of_piece[index(chess::make_piece(c, type))];
        }
    }
}

void put_counter(int value, Tokenizer tokenizer, const Alphabet& alphabet, std::uint8_t* out) {
    value = std::min(value, kMaxCounter);
    const int digits = value < 10 ? 1 : value < 100 ? 2 : 3;
    const bool left = tokenizer == Tokenizer::Deepmind;
    if (!left) std::fill_n(out, kCounterWidth - digits, alphabet('0'));
    std::uint8_t* end = left ? out + digits : out + kCounterWidth;
    for (int i = 0; i < digits; ++i, value /= 10)
        *--end = alphabet(static_cast<char>('0' + value % 10));
}

std::string placement(std::string_view squares) {
    std::string fen;
    for (int rank = 0; rank < 8; ++rank) {
        int empty = 0;
        if (rank != 0) fen += '/';
        for (const char c : squares.substr(static_cast<std::size_t>(8 * rank), 8)) {
            if (c == '.') {
                ++empty;
                continue;
            }
            if (empty != 0) fen += static_cast<char>('0' + empty);
            empty = 0;
            // The alphabet's digits must not pass for runs of empty squares.
            fen += chess::piece_from_char(c) == Piece::None ? '?' : c;
        }
        if (empty != 0) fen += static_cast<char>('0' + empty);
    }
    return fen;
}

// Without the padding; "-" when nothing is left.
std::string_view unpadded(std::string_view field) {
    const std::string_view text = field.substr(0, field.find_last_not_of('.') + 1);
    return text.empty() ? "-" : text;
}

}  // namespace

std::string_view name_of(Tokenizer tokenizer) {
    return tokenizer == Tokenizer::Deepmind ? "deepmind" : "reference";
}

std::optional<Tokenizer> tokenizer_from_name(std::string_view name) {
    for (const Tokenizer tokenizer : {Tokenizer::Deepmind, Tokenizer::Reference}) {
        if (name == name_of(tokenizer)) return tokenizer;
    }
    return std::nullopt;
}

int vocabulary_size(Tokenizer tokenizer) {
    return static_cast<int>(characters_of(tokenizer).size());
}

Tokens tokenize(const chess::Position& position, Tokenizer tokenizer) {
    const Alphabet& alphabet = tokenizer == Tokenizer::Deepmind ? kDeepmind : kReference;
    Tokens tokens;
    tokens.fill(alphabet('.'));
    tokens[0] = alphabet(position.side_to_move() == Color::White ? 'w' : 'b');
    for (int i = 0; i < 64; ++i) {
        const Piece piece = position.piece_on(flip_rank(chess::square_at(i)));
        tokens[kFirstSquare + i] = alphabet.token_of_piece[index(piece)];
    }
    put_castling(position, alphabet, tokens);
    if (const Square target = position.en_passant(); target != Square::None) {
        tokens[kEnPassant] = alphabet(chess::file_char(file_of(target)));
        tokens[kEnPassant + 1] = alphabet(chess::rank_char(rank_of(target)));
    }
    put_counter(position.halfmove_clock(), tokenizer, alphabet, tokens.data() + kHalfmoveAt);
    put_counter(position.fullmove_number(), tokenizer, alphabet, tokens.data() + kFullmoveAt);
    return tokens;
}

Result<chess::Position> detokenize(std::span<const std::uint8_t, kTokenCount> tokens,
                                   Tokenizer tokenizer) {
    const std::string_view characters = characters_of(tokenizer);
    std::array<char, kTokenCount> text;
    for (std::size_t i = 0; i < kTokenCount; ++i) {
        if (tokens[i] >= characters.size()) {
            return fail(fmt::format("token {} is {}, the '{}' tokenizer has 0 to {}", i, tokens[i],
                                    name_of(tokenizer), characters.size() - 1));
        }
        text[i] = characters[tokens[i]];
        // In the reference's alphabet, but it writes '.' wherever FEN has '-'.
        if (text[i] == '-') return fail(fmt::format("token {} is '-', which is never written", i));
    }
    const std::string_view all(text.data(), text.size());
    const std::string_view castling = unpadded(all.substr(kCastling, 4));
    // FEN would take file letters, too, but no tokenizer writes them.
    if (castling != "-" && castling.find_first_not_of("KQkq") != std::string_view::npos) {
        return fail(fmt::format("tokens: castling '{}' is not made of K, Q, k and q", castling));
    }
    // Parsing FEN again costs little beside reading the tokens and keeps one set of rules.
    auto position = chess::parse_fen(fmt::format(
        "{} {} {} {} {} {}", placement(all.substr(kFirstSquare, 64)), all.substr(0, 1), castling,
        unpadded(all.substr(kEnPassant, 2)), unpadded(all.substr(kHalfmoveAt, kCounterWidth)),
        unpadded(all.substr(kFullmoveAt, kCounterWidth))));
    if (!position) return fail_in("tokens", position.error());
    return position;
}

}  // namespace solis::data
