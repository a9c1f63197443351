// Positions as 77 tokens, the input of the transformer: side to move, 64 squares (a8..h1), four
// castling rights, en-passant square, half-move clock, full-move number.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::data {

inline constexpr int kTokenCount = 77;
using Tokens = std::array<std::uint8_t, kTokenCount>;

// A token is the index of a character of the FEN in the tokenizer's alphabet.
enum class Tokenizer : std::uint8_t {
    // "0123456789abcdefghpnrkqPBNRQKw.": 'b' is 11 as file, bishop and Black to move. Counters
    // are padded with '.' on the right.
    Deepmind,
    // "0123456789abcdefghpnrkqPBNRQKwb-.", the later 'b' wins: every 'b' is 30, '.' is 32.
    // Counters are padded with '0' on the left.
    Reference,
};

[[nodiscard]] std::string_view name_of(Tokenizer tokenizer);
[[nodiscard]] std::optional<Tokenizer> tokenizer_from_name(std::string_view name);
// Tokens are below this.
[[nodiscard]] int vocabulary_size(Tokenizer tokenizer);

// There is no token for "the rook on b1": rights of Chess960 are written KQkq whichever rook is
// meant. Counters above 999 are written 999.
[[nodiscard]] Tokens tokenize(const chess::Position& position, Tokenizer tokenizer);
// The error names the token that makes no sense.
[[nodiscard]] Result<chess::Position> detokenize(std::span<const std::uint8_t, kTokenCount> tokens,
                                                 Tokenizer tokenizer);

}  // namespace solis::data
