// Reviewing a game: every position is planned, in turns where others wait.
#pragma once
#include "solis/chess/pgn/game.h"
#include "solis/planner/plan.h"
#include "solis/studio/models.h"
#include "solis/studio/services.h"
#include "solis/studio/think/job.h"
#include "solis/studio/think/sessions.h"

namespace solis::studio {

struct ReviewRequest {
    chess::PgnGame game{};
    const StudioModel* model = nullptr;
    planner::Settings settings{};
    planner::Limits limits{};  // of each position
};

// Limits that end, whatever was asked for.
void bound_review(ReviewRequest& request);

// On the thread that thinks: an event for each move, "done" at the end. The review is kept.
void run_review_job(Job& job, ClientSession& session, const ReviewRequest& request,
                    ReviewShelf& shelf);

}  // namespace solis::studio
