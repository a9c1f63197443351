// Plans: what a request asks for, and what is told while it is thought about.
#pragma once
#include <string>
#include <vector>

#include "solis/planner/plan.h"
#include "solis/studio/api/position.h"
#include "solis/studio/models.h"
#include "solis/studio/think/feed.h"

namespace solis::studio {

struct PlanRequest {
    ApiGame game;
    const StudioModel* model = nullptr;
    planner::Settings settings{};
    planner::Limits limits{};
    bool tree = false;
    std::string session{};
};

// What a server grants at most.
struct PlanBounds {
    int threads = 1;
    int multipv = 20;
    std::size_t hash_megabytes = 16;
    // However little a request limits itself. Plans that cannot be interrupted and go on later end
    // sooner.
    planner::Milliseconds longest{600'000};
    planner::Milliseconds longest_undivided{60'000};
};

// The field "model".
[[nodiscard]] const StudioModel* read_api_model(Fields& fields, const ModelShelf& models);
// The fields "plan", "anchored", "width", "prune", "elo", "multipv" and "threads".
[[nodiscard]] planner::Settings read_api_settings(Fields& fields, const PlanBounds& bounds);
// The field "limits"; `fallback` where there is none.
[[nodiscard]] planner::Limits read_api_limits(Fields& fields, const planner::Limits& fallback);
[[nodiscard]] Answer<PlanRequest> read_plan_request(const Json& body, const ModelShelf& models,
                                                    const PlanBounds& bounds);

// Whether the plan may give its thread up and go on later: what it learned is kept.
[[nodiscard]] bool is_divisible(const PlanRequest& request);

// White's view of a value of the side `mover`.
struct WhiteView {
    planner::ValueScale scale;
    chess::Color mover;

    [[nodiscard]] double p(planner::Value value) const;
    // Adds "p", "wdl", "cp" and, where there is one, "mate".
    void add_to(Json& json, planner::Value value) const;
};

// Turns news of a plan into events. Used by the thread that writes.
class PlanWriter {
  public:
    PlanWriter(const PlanRequest& request, const planner::ValueScale& scale);

    [[nodiscard]] std::string events(const News& news);
    [[nodiscard]] Json info_json(const std::vector<planner::Info>& infos) const;
    [[nodiscard]] Json done_json(const planner::Plan& plan, std::string_view reason) const;

  private:
    [[nodiscard]] Json line_json(const planner::Line& line, int rank) const;
    [[nodiscard]] Json tree_json(const News& news);
    [[nodiscard]] WhiteView view_of_ply(int ply) const;

    const PlanRequest& request_;
    planner::ValueScale scale_;
    // Of the tree so far, by id; the root is the first.
    struct Drawn {
        chess::Position position;
        int ply;
    };
    std::vector<Drawn> drawn_;
};

}  // namespace solis::studio
