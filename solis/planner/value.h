// Values of positions inside a plan: latent scores, mates and tablebase results as one integer.
#pragma once
#include <optional>

#include "solis/chess/mate_score.h"
#include "solis/chess/types.h"
#include "solis/model/evaluator.h"

namespace solis::planner {

// From the view of the side to move: a latent score in ten-thousandths, or a decided game.
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

// The paper's two scoring mechanisms. They differ by a constant.
enum class Scoring {
    Unanchored,  // <z, a>
    Anchored     // <z - mu_black, a>
};

struct WinDrawLoss {
    double win;
    double draw;
    double loss;
};

// How a model's scores become values and what values mean.
class ValueScale {
  public:
    // The model must outlive it.
    ValueScale(const model::LoadedModel& model, Scoring scoring);

    // Value for `mover` of a position whose unanchored score in White's view is `score`.
    [[nodiscard]] Value of_score(float score, chess::Color mover) const {
        const float scaled = score * static_cast<float>(kScoreUnit);
        const int rounded = static_cast<int>(scaled < 0 ? scaled - 0.5f : scaled + 0.5f);
        return seen_by(mover, rounded + anchor_);
    }
    // The same where the model's encoder for endings is in charge. Its calibration tells the
    // result, which a score of the model's own stands for; how near the mate is adds to it. So a
    // win there is better than anything the other encoder can say, and a draw is a draw.
    [[nodiscard]] Value of_ending(float score, chess::Color mover) const;
    // The score at win probability 0.5, never simply 0.
    [[nodiscard]] Value draw(chess::Color mover) const { return seen_by(mover, draw_); }

    // The unanchored latent score that `value` stands for, for its mover; +-1 for decided games.
    [[nodiscard]] double score(Value value, chess::Color mover) const;
    // Expected result for the mover: a win counts 1, a draw one half.
    [[nodiscard]] double win_probability(Value value, chess::Color mover) const;
    // The latent value whose win probability is p.
    [[nodiscard]] Value at_probability(double p, chess::Color mover) const;
    // The inverse of p = 1 / (1 + exp(-0.00368208 cp)), as Lichess has it; mates are for callers.
    [[nodiscard]] int centipawns(Value value, chess::Color mover) const;
    // The model knows only the expected result p. Split as two independent halves of a point
    // would be: p^2, 2 p (1 - p), (1 - p)^2, which keeps win + draw / 2 = p.
    [[nodiscard]] WinDrawLoss win_draw_loss(Value value, chess::Color mover) const;

  private:
    [[nodiscard]] static Value seen_by(chess::Color mover, int for_white) {
        return mover == chess::Color::White ? for_white : -for_white;
    }

    const model::Calibration& calibration_;
    const model::Calibration* endings_;  // null where the model has none
    int anchor_;                         // what anchoring adds, White's view
    int draw_;                           // White's view
};

}  // namespace solis::planner
