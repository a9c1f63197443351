// Positions from the inside of plans: what an encoder is asked about while it plays.
#pragma once
#include <cstdint>
#include <memory>

#include "solis/base/rng.h"
#include "solis/data/game_source.h"
#include "solis/model/evaluator.h"

namespace solis::lab {

struct PlanTreeOptions {
    std::uint64_t embeddings = 4000;  // of each plan
    std::size_t per_plan = 16;        // positions taken from it
    Seed seed{1};
};

// For every game of `games`, plans one random position of its line and gives out some of the
// positions that were embedded on the way, drawn evenly, as games of length zero. The same ones
// for the same seed.
[[nodiscard]] std::unique_ptr<data::GameSource> make_plan_tree_source(
    std::unique_ptr<data::GameSource> games, std::shared_ptr<const model::LoadedModel> model,
    const PlanTreeOptions& options);

}  // namespace solis::lab
