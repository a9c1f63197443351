// Targets of the auxiliary loss for the squares of a position: which kinds of pieces attack each
// square, by the rules, and how much its piece changes the score of a teacher model.
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
    AuxiliaryTargets(double weight, std::shared_ptr<const model::LoadedModel> teacher);
    void add_attacks(const chess::Position& position, float* rows) const;
    void add_piece_values(const chess::Position& position, float* rows);

    double weight_;
    std::shared_ptr<const model::LoadedModel> teacher_;  // null: none
    std::unique_ptr<model::Evaluator> evaluator_;
};

}  // namespace solis::train
