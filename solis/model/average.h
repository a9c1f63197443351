// One model out of several that were trained from the same start.
#pragma once
#include <span>

#include "solis/base/result.h"
#include "solis/model/model_file.h"

namespace solis::model {

// The mean of the weights, and of the axes where all have one. Runs that start from one model stay
// in one valley of the loss, and between them lies a better point than each has found. The
// calibration is missing, because scores are others; endings and training config are those of the
// first model. Refuses fewer than two models, and encoders that differ in more than weights; the
// error tells which model it is, counted from 1.
[[nodiscard]] Result<ModelFile> average_models(std::span<const ModelFile> models);

}  // namespace solis::model
