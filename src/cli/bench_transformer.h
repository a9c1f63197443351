// The part of solis bench encoder that measures transformers.
#pragma once
#include <string>

#include "base/console.h"
#include "nn/transformer_weights.h"

namespace solis::cli {

struct TransformerBenchOptions {
    std::string name;  // for the report
    nn::TransformerShape shape;
    int rounds = 5;
    std::string peer;  // program that prints the speed of another implementation; may be empty
    bool json = false;
};

// Random weights: speed does not depend on them.
[[nodiscard]] ExitCode run_transformer_bench(const TransformerBenchOptions& options,
                                             Console& console);

}  // namespace solis::cli
