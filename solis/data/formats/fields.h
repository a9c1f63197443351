// Pieces that several formats share: numbers, scores and results as other programs write them.
#pragma once
#include <charconv>
#include <optional>
#include <string_view>

#include "solis/base/result.h"
#include "solis/base/text.h"
#include "solis/chess/position.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

[[nodiscard]] std::string_view trimmed(std::string_view text);

// The whole of `text` as a number.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
    Number value{};
    if (text.starts_with('+')) text.remove_prefix(1);
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end) return std::nullopt;
    return value;
}

// A score as trainers' files hold it: centipawns, with mates as in Score where the number is in
// that range. Between them lie other engines' "winning" scores, which are clipped; above 32000
// their special values (no score, infinity), which are refused.
[[nodiscard]] Result<Score> score_from_number(long long number);

// White's view <-> the side to move's; the same function both ways.
[[nodiscard]] inline Score seen_by(chess::Color side, Score white_score) {
    return side == chess::Color::White ? white_score : white_score.negated();
}

// Mate in `moves` for White, or for Black when negative; 0 means the side to move is mated.
[[nodiscard]] Score score_from_white_mate(long long moves, chess::Color side_to_move);
// Moves to mate as UCI counts them: positive when the side to move mates.
[[nodiscard]] Score score_from_mate(long long moves);
[[nodiscard]] inline int mate_moves(Score mate) {
    return mate.value() > 0 ? Score::kMate - mate.value() : -Score::kMate - mate.value();
}

// "1.0", "0.5", "0.0", "1", "0", "1/2", "1-0", "0-1", "1/2-1/2", also in brackets; "*" is unknown.
[[nodiscard]] Result<GameResult> parse_result(std::string_view text);

// An isolated position.
void set_position(LabelledGame& game, const chess::Position& position, Score score);

}  // namespace solis::data
