// Where "label" takes its games and positions from when it does not play them itself.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/cli/command.h"
#include "solis/data/game_source.h"

namespace solis::cli {

struct LabelInputs {
    std::vector<std::string> files;
    std::string format;
    std::string split;  // of a store; empty: all games
    bool skip_damaged = false;
    std::uint64_t plan_trees = 0;  // positions from each plan; 0: the games themselves
    std::uint64_t plan_embeddings = 4000;
    std::string model;
};

void add_label_inputs(Command& command, LabelInputs& inputs);

// Fails on what cannot be opened or does not go together.
[[nodiscard]] Result<std::unique_ptr<data::GameSource>> open_label_inputs(const LabelInputs& inputs,
                                                                          std::uint64_t seed);
// All of it that decides which labels come out.
[[nodiscard]] std::string describe_inputs(const LabelInputs& inputs);

}  // namespace solis::cli
