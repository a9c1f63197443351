// Threads that advance together however busy the machine is, as they would on cores of their own.
#pragma once
#include <memory>

#include "solis/model/evaluator.h"

namespace solis::model {

// The scores of `model`, whose evaluators wait for each other so that none is more than a few
// hundred positions ahead. So what two threads find in N positions each can be compared with what
// one finds in N.
[[nodiscard]] std::shared_ptr<const LoadedModel> lockstep_model(
    std::shared_ptr<const LoadedModel> model);

}  // namespace solis::model
