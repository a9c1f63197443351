// Targets of the auxiliary loss for the squares of a position: which kinds of pieces attack each
// square, by the rules, how much its piece changes the score of a teacher model, and how much the
// best move from and to the square does.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "solis/chess/position.h"
#include "solis/model/evaluator.h"
#include "solis/nn/auxiliary_loss.h"
#include "solis/train/config.h"

namespace solis::train {

class AuxiliaryTargets {
  public:
    // Loads the teacher, where the config names one.
    [[nodiscard]] static Result<std::unique_ptr<AuxiliaryTargets>> open(const TrainConfig& config);

    // For batches of so many positions in all processes together.
    [[nodiscard]] nn::AuxiliaryTasks tasks(std::size_t batch) const;
    // [positions][rows][nn::kAuxiliaryTasks], NaN where there is nothing to say.
    [[nodiscard]] std::vector<float> targets(std::span<const chess::Position> positions);

  private:
    AuxiliaryTargets(const AuxiliaryConfig& config,
                     std::shared_ptr<const model::LoadedModel> teacher);
    void add_attacks(const chess::Position& position, float* rows) const;
    void add_piece_values(const chess::Position& position, float score, float* rows);
    void add_moves(const chess::Position& position, float score, float* rows);
    void add_moves_of_mover(const chess::Position& position, float score, std::size_t to_task,
                            float* rows);

    double weight_, moves_;
    std::shared_ptr<const model::LoadedModel> teacher_;  // null: none
    std::unique_ptr<model::Evaluator> evaluator_;
    std::vector<chess::Position> children_;
    std::vector<chess::Move> moves_to_children_;
    std::vector<float> scores_;
};

}  // namespace solis::train
