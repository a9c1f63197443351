// An engine's verdict on a position and the win probability it stands for.
#pragma once
#include <cstdint>
#include <limits>

#include "solis/chess/mate_score.h"

namespace solis::data {

// Centipawns from the side to move's point of view; mate in n moves is 32000 - n, being mated in
// n is -32000 + n (being mated in 0 is checkmate on the board). Two bytes, cheap to copy.
class Score {
  public:
    static constexpr int kMate = chess::kMateScore;
    static constexpr int kMaxCentipawns = 20000;
    // A win or loss whose distance the source did not give.
    static constexpr int kUnknownDistance = 1000;

    // No verdict.
    constexpr Score() = default;
    // Clipped to +-kMaxCentipawns.
    [[nodiscard]] static constexpr Score centipawns(long long cp) {
        if (cp > kMaxCentipawns) cp = kMaxCentipawns;
        if (cp < -kMaxCentipawns) cp = -kMaxCentipawns;
        return Score(static_cast<std::int16_t>(cp));
    }
    // The side to move mates in `moves` (at least 1); clipped to kUnknownDistance.
    [[nodiscard]] static constexpr Score mate_in(int moves) {
        if (moves > kUnknownDistance) moves = kUnknownDistance;
        return Score(static_cast<std::int16_t>(kMate - moves));
    }
    // The side to move is mated in `moves`; 0 is checkmate on the board.
    [[nodiscard]] static constexpr Score mated_in(int moves) { return mate_in(moves).negated(); }
    // From 16 stored bits, any of them; values outside the legal ranges become "no verdict".
    [[nodiscard]] static Score from_bits(std::int16_t bits);
    // The score whose win probability is p, the inverse of win_probability().
    [[nodiscard]] static Score from_win_probability(double p);

    [[nodiscard]] constexpr bool is_none() const { return value_ == kNone; }
    [[nodiscard]] constexpr bool is_mate() const {
        return !is_none() && (value_ > kMaxCentipawns || value_ < -kMaxCentipawns);
    }
    [[nodiscard]] constexpr int value() const { return value_; }
    // Seen from the other side.
    [[nodiscard]] constexpr Score negated() const {
        return is_none() ? *this : Score(static_cast<std::int16_t>(-value_));
    }
    // Of the side to move, in [0, 1]; exactly 0 or 1 for mates.
    [[nodiscard]] double win_probability() const;

    friend constexpr bool operator==(Score, Score) = default;

  private:
    static constexpr std::int16_t kNone = std::numeric_limits<std::int16_t>::min();
    explicit constexpr Score(std::int16_t value) : value_(value) {}

    std::int16_t value_ = kNone;
};

}  // namespace solis::data
