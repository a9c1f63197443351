// What a model thinks the move is worth beyond what its calibration says.
#pragma once
#include "solis/planner/value.h"

namespace solis::planner {

// A position is worth to its mover what its best child is worth; a model that scores both better
// for whoever is to move disagrees with itself by twice its tempo, and values of even and odd
// depth cannot be compared. This is the median of that disagreement, halved, over positions after
// one move from the start: a hundredth of the axis for the default model, a tenth for models whose
// calibration is symmetric. Costs some 400 embeddings, of a slow encoder some 60.
[[nodiscard]] Value measured_tempo(const model::LoadedModel& model);

}  // namespace solis::planner
