// Games between two planners in one process, at equal CPU time or equal embeddings: a busy machine
// disturbs both alike.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solis/chess/game.h"
#include "solis/planner/plan.h"

namespace solis::lab {

// Planner settings from "name=value" changes of the defaults: "plan=paper", "width=8" or a feature
// of the deep plan.
[[nodiscard]] Result<planner::Settings> duel_settings(const std::vector<std::string>& changes);

struct DuelSide {
    std::shared_ptr<const model::LoadedModel> model;
    planner::Settings settings;
    planner::Limits limits;  // of each move
};

class PlanDuel {
  public:
    // `seed` is of the openings, which are random moves that leave an even game in A's eyes.
    PlanDuel(const DuelSide& a, const DuelSide& b, std::uint64_t seed);

    // Points of A in two games from one opening, colours changed.
    [[nodiscard]] double play_pair(std::uint64_t number);

  private:
    [[nodiscard]] chess::Game make_opening(std::uint64_t number);
    // 1, 0.5 or 0 for A.
    [[nodiscard]] double play(chess::Game game, bool a_is_white);

    struct Player {
        planner::Planner planner;
        planner::Limits limits;
    };

    Player a_;
    Player b_;
    std::uint64_t seed_;
};

}  // namespace solis::lab
