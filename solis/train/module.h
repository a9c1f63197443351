// Optional parts of the trainer, as modules beside the command: loaded when they are needed, so
// that nothing else depends on them or waits for them.
#pragma once
#include <string>

#include "solis/base/result.h"

namespace solis::train {

// The address of a function with C linkage in "NAME.so". Never unloaded.
[[nodiscard]] Result<void*> load_function(const std::string& name, const char* function);

}  // namespace solis::train
