// One move, thought about in one turn or several.
#include "solis/studio/think/plan_job.h"

#include <algorithm>

namespace solis::studio {
namespace {

using planner::Effort;
using planner::Limits;
using planner::Milliseconds;

// What earlier turns did counts, too.
void add_effort(Effort& effort, const Effort& before) {
    effort.nodes += before.nodes;
    effort.embedded += before.embedded;
    effort.beam_nodes += before.beam_nodes;
    effort.tablebase_hits += before.tablebase_hits;
    effort.time += before.time;
}

class FeedObserver final : public planner::Observer {
  public:
    FeedObserver(Feed& feed, const Effort& before, bool tree)
        : feed_(feed), before_(before), tree_(tree) {}

    void on_info(const planner::Info& info) override {
        planner::Info whole = info;
        add_effort(whole.effort, before_);
        feed_.put_info(whole);
    }
    void on_move(int depth, chess::Move move, int number) override {
        feed_.put_current({depth, move, number});
    }
    [[nodiscard]] bool wants_tree() const override { return tree_; }
    void on_beam_node(const planner::BeamNode& node) override { feed_.put_node(node); }
    void on_beam_value(const planner::BeamValue& value) override { feed_.put_value(value); }

  private:
    Feed& feed_;
    Effort before_;
    bool tree_;
};

template <class T>
void take_off(std::optional<T>& limit, T used) {
    if (limit) limit = *limit > used ? *limit - used : T{};
}

// What is left of the limits; none where one is reached.
std::optional<Limits> limits_left(const Limits& limits, const Effort& used, int depth) {
    Limits left = limits;
    take_off(left.movetime, used.time);
    take_off(left.nodes, used.nodes);
    take_off(left.embeddings, used.embedded);
    const bool reached = left.movetime == Milliseconds(0) || left.nodes == 0u ||
                         left.embeddings == 0u || (left.depth && depth >= *left.depth);
    return reached ? std::nullopt : std::optional(left);
}

}  // namespace

std::string_view name_of(StopReason reason) {
    switch (reason) {
        case StopReason::Stopped:
        case StopReason::ClientGone:
            return "stopped";
        case StopReason::Replaced:
            return "replaced";
        case StopReason::Shutdown:
            return "shutdown";
        case StopReason::None:
            break;
    }
    return "limit";
}

void run_plan_job(Job& job, ClientSession& session, const PlanRequest& request,
                  const PlanWriter& writer) {
    const auto lock = session.lock();
    const bool divisible = is_divisible(request);
    const auto threads = static_cast<std::size_t>(request.settings.threads);
    planner::Plan plan;
    Effort used;
    std::optional<Limits> limits = request.limits;
    while (limits && job.enter(threads)) {
        planner::Planner& planner = session.planner(*request.model, request.settings);
        FeedObserver observer(job.feed(), used, request.tree);
        planner::Plan turn = job.think(planner, request.game.game, *limits, observer, divisible);
        const bool interrupted = divisible && job.is_asked_to_leave();
        job.leave();
        add_effort(turn.effort, used);
        used = turn.effort;
        // A turn that was over at once knows less than the one before it.
        if (plan.lines.empty() || turn.depth >= plan.depth) plan = std::move(turn);
        plan.effort = used;
        if (!interrupted || job.is_cancelled() || plan.lines.empty()) break;
        limits = limits_left(request.limits, used, plan.depth);
    }
    const bool over = plan.lines.empty() && !job.is_cancelled();
    job.feed().put_event(
        "done", json_text(writer.done_json(plan, over ? "finished" : name_of(job.stop_reason()))));
}

}  // namespace solis::studio
