// Thinking about one move, in turns where others wait.
#pragma once
#include "solis/studio/api/plan.h"
#include "solis/studio/think/job.h"
#include "solis/studio/think/sessions.h"

namespace solis::studio {

// On the thread that thinks: from waiting for a thread to the event "done". The writer is used for
// that event only.
void run_plan_job(Job& job, ClientSession& session, const PlanRequest& request,
                  const PlanWriter& writer);

[[nodiscard]] std::string_view name_of(StopReason reason);

}  // namespace solis::studio
