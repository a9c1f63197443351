// Runs a trainer to its end: progress, metrics, checkpoints, and the finished model.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "solis/base/console.h"
#include "solis/train/trainer.h"
#include "solis/train/validation.h"

namespace solis::train {

// What a run leaves in its folder: config.toml, metrics.jsonl, checkpoint.safetensors,
// model.safetensors and curve.svg.
struct RunResult {
    bool finished = false;  // false: stopped on request, to be resumed
    ValidationReport report;
    std::filesystem::path model;
};

// With several processes, the leading one reports and writes; the result of the others says only
// whether the run is finished. Asks `stop_requested` between steps. `command` is noted in the
// model.
[[nodiscard]] Result<RunResult> run_training(Trainer& trainer, const ValidationSet& validation,
                                             const std::string& command, const std::string& version,
                                             const std::function<bool()>& stop_requested,
                                             Console& console);

}  // namespace solis::train
