// A model ready for use: embeds positions, scores them along the axis, ranks moves.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/position.h"
#include "solis/model/evaluator.h"

namespace solis::model {

// Everything is from White's point of view unless it says otherwise. Scores and win probabilities
// are those of the encoder in charge of a position; embeddings are the model's own encoder's.
class Scorer {
  public:
    explicit Scorer(std::shared_ptr<const LoadedModel> model);

    [[nodiscard]] const LoadedModel& model() const { return *model_; }
    [[nodiscard]] std::size_t dims() const { return model_->dims(); }

    // The embedding, of length 1.
    void embed(const chess::Position& position, std::span<float> z) {
        evaluator_->embed(position, z);
    }
    // The projection on the axis. Finished games are for the rules, not for this.
    [[nodiscard]] float score(const chess::Position& position) {
        return evaluator_->score(position);
    }
    // At a score that this gave `position`.
    [[nodiscard]] double win_probability(float score, const chess::Position& position) const {
        return model_->win_probability(score, position);
    }

    struct RankedMove {
        chess::Move move;
        float score;             // of the position after it
        double win_probability;  // of White
        bool finished;           // the move ends the game: the rules gave score and probability
        bool ending;             // the encoder for endings gave them, whose axis is another
        float order;             // by which moves are ranked: higher is better for who moves
    };
    // All legal moves, best for the side to move first. Mate is the best there is, a draw has the
    // score of win probability 0.5.
    [[nodiscard]] std::vector<RankedMove> rank_moves(const chess::Position& position);

  private:
    [[nodiscard]] RankedMove judge(chess::Move move, const chess::Position& child,
                                   float child_score) const;
    [[nodiscard]] RankedMove judge_finished(chess::Move move, const chess::Position& child) const;

    std::shared_ptr<const LoadedModel> model_;
    std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace solis::model
