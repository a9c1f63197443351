// The part of solis bench encoder that measures transformers.
#pragma once
#include <string>

#include "solis/base/console.h"
#include "solis/model/model_file.h"
#include "solis/nn/transformer/weights.h"

namespace solis::cli {

struct TransformerBenchOptions {
    std::string name;  // for the report
    nn::TransformerShape shape;
    int parents = 100;  // whose children are compared
    int rounds = 5;
    std::string peer;  // program that prints the speed of another implementation; may be empty
    bool json = false;
    // Null: random weights, on which speed does not depend. With an axis, it is also shown what
    // integers do to the order of siblings.
    const model::ModelFile* model = nullptr;
};

[[nodiscard]] ExitCode run_transformer_bench(const TransformerBenchOptions& options,
                                             Console& console);

}  // namespace solis::cli
