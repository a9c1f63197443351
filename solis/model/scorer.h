// A model ready for use: embeds positions, scores them along the axis, ranks moves.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/position.h"
#include "solis/model/evaluator.h"

namespace solis::model {

// Everything is from White's point of view unless it says otherwise, and of the model's own
// encoder: scores of another one for endings could not be compared with its.
class Scorer {
  public:
    // Fails where the model has no axis or calibration, or does not fit into integers.
    [[nodiscard]] static Result<Scorer> from(ModelFile model);

    [[nodiscard]] const ModelFile& model() const { return model_->file(); }
    [[nodiscard]] std::size_t dims() const { return model_->axis().dims(); }

    // The embedding, of length 1.
    void embed(const chess::Position& position, std::span<float> z) {
        evaluator_->embed(position, z);
    }
    // Its projection on the advantage axis. Finished games are for the rules, not for this.
    [[nodiscard]] float score(const chess::Position& position) {
        return evaluator_->score(position);
    }
    [[nodiscard]] double win_probability(double score) const {
        return model_->calibration().win_probability(score);
    }

    struct RankedMove {
        chess::Move move;
        float score;             // of the position after it
        double win_probability;  // of White
        bool finished;           // the move ends the game: the rules gave the score
    };
    // All legal moves, best for the side to move first. Mate is the best there is, a draw has the
    // score of win probability 0.5.
    [[nodiscard]] std::vector<RankedMove> rank_moves(const chess::Position& position);

  private:
    explicit Scorer(std::shared_ptr<const LoadedModel> model);
    [[nodiscard]] RankedMove judge(chess::Move move, const chess::Position& child,
                                   float child_score) const;

    std::shared_ptr<const LoadedModel> model_;
    std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace solis::model
