// What each square of a position has to teach a transformer beside the value of the whole: which
// kinds of pieces attack it, by the rules, and what its piece is worth, in the opinion of a
// teacher.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "solis/chess/position.h"
#include "solis/model/evaluator.h"
#include "solis/nn/row_lessons.h"
#include "solis/train/config.h"

namespace solis::train {

class SquareLessons {
  public:
    // Loads the teacher, where the config names one.
    [[nodiscard]] static Result<std::unique_ptr<SquareLessons>> open(const TrainConfig& config);

    // For batches of so many positions in all processes together.
    [[nodiscard]] nn::Questions questions(std::size_t batch) const;
    // [positions][rows][nn::kQuestions], NaN where there is nothing to say.
    [[nodiscard]] std::vector<float> answers(std::span<const chess::Position> positions);

  private:
    SquareLessons(double weight, std::shared_ptr<const model::LoadedModel> teacher);
    void tell_attacks(const chess::Position& position, float* rows) const;
    void tell_worth(const chess::Position& position, float* rows);

    double weight_;
    std::shared_ptr<const model::LoadedModel> teacher_;  // null: none
    std::unique_ptr<model::Evaluator> evaluator_;
};

}  // namespace solis::train
