// The part of solis bench encoder that measures swift networks.
#pragma once
#include <cstdint>
#include <string>

#include "solis/base/console.h"
#include "solis/model/model_file.h"

namespace solis::cli {

struct SwiftBenchOptions {
    std::string name;  // of the model file; empty for random weights
    int trees = 50;    // openings that are planned from
    int rounds = 5;
    std::uint64_t seed = 1;
    bool json = false;
};

// `model` must hold a swift encoder.
[[nodiscard]] ExitCode run_swift_bench(const SwiftBenchOptions& options,
                                       const model::ModelFile& model, Console& console);

}  // namespace solis::cli
