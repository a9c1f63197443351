// Values of positions inside a plan: latent scores, mates and tablebase results as one integer.
#pragma once
#include <optional>

#include "solis/chess/mate_score.h"
#include "solis/chess/types.h"
#include "solis/model/evaluator.h"
#include "solis/model/scoring.h"

namespace solis::planner {

// From the view of the side to move: a centred score in ten-thousandths, or a decided game.
// Integers, so that tables and alpha-beta are exact. Everything fits into 16 bits.
using Value = int;

inline constexpr int kScoreUnit = 10'000;
inline constexpr int kMaxPly = 200;
inline constexpr Value kInfinite = 32'500;
inline constexpr Value kMate = chess::kMateScore;  // minus the plies until it
inline constexpr Value kTablebaseWin = 31'000;     // minus the plies until the tables are reached
inline constexpr Value kMateBound = kMate - kMaxPly;
inline constexpr Value kDecidedBound = kTablebaseWin - kMaxPly;

[[nodiscard]] constexpr Value mate_in(int plies) { return kMate - plies; }
[[nodiscard]] constexpr Value mated_in(int plies) { return -kMate + plies; }
[[nodiscard]] constexpr bool is_mate(Value value) {
    return value >= kMateBound || value <= -kMateBound;
}
// By mate or by tablebases, so that no latent score is meant.
[[nodiscard]] constexpr bool is_decided(Value value) {
    return value >= kDecidedBound || value <= -kDecidedBound;
}
// Moves until mate: positive for the side that mates, negative for the one that is mated.
[[nodiscard]] constexpr std::optional<int> mate_distance(Value value) {
    if (value >= kMateBound) return chess::mate_moves(kMate - value);
    if (value <= -kMateBound) return -chess::mate_moves(kMate + value);
    return std::nullopt;
}

using model::Scoring;

struct WinDrawLoss {
    double win;
    double draw;
    double loss;
};

// How a model's scores become values and what values mean. A value is a centred score
// (model::Readout) in ten-thousandths: having the move is worth something on an encoder's axis, so
// raw scores before and after a move could not be compared.
class ValueScale {
  public:
    // The model must outlive it.
    ValueScale(const model::LoadedModel& model, Scoring scoring);

    // Value of a position to its side to move, at the score that an evaluator of the model gave it.
    [[nodiscard]] Value of_score(float score, const chess::Position& position) const {
        const float scaled = model_.centred_score(score, position) * static_cast<float>(kScoreUnit);
        const int rounded = static_cast<int>(scaled < 0 ? scaled - 0.5f : scaled + 0.5f);
        return rounded + seen_by(position.side_to_move(), anchor_);
    }
    // The value at win probability 0.5.
    [[nodiscard]] Value draw(chess::Color mover) const { return seen_by(mover, anchor_); }

    // Expected result for the mover: a win counts 1, a draw one half.
    [[nodiscard]] double win_probability(Value value, chess::Color mover) const;
    // The value whose win probability is p.
    [[nodiscard]] Value at_probability(double p, chess::Color mover) const;
    // What an engine would say whose labels the model was calibrated with (chess/centipawns.h).
    // Beyond the ends of the calibration centipawns go on to rise; mates are for callers.
    [[nodiscard]] int centipawns(Value value, chess::Color mover) const;
    [[nodiscard]] double exact_centipawns(Value value, chess::Color mover) const;
    // The model knows only the expected result p. Split as two independent halves of a point
    // would be: p^2, 2 p (1 - p), (1 - p)^2, which keeps win + draw / 2 = p.
    [[nodiscard]] WinDrawLoss win_draw_loss(Value value, chess::Color mover) const;

  private:
    [[nodiscard]] static Value seen_by(chess::Color mover, int for_white) {
        return mover == chess::Color::White ? for_white : -for_white;
    }
    // The centred score for the mover.
    [[nodiscard]] double score(Value value, chess::Color mover) const {
        return static_cast<double>(value - seen_by(mover, anchor_)) / kScoreUnit;
    }

    const model::LoadedModel& model_;
    int anchor_;  // what anchoring adds, White's view
};

}  // namespace solis::planner
