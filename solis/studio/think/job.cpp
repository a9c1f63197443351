// Starting, stopping and interrupting what thinks.
#include "solis/studio/think/job.h"

#include <fmt/format.h>

#include "solis/base/system_seed.h"

namespace solis::studio {

void Job::stop(StopReason reason) {
    StopReason none = StopReason::None;
    reason_.compare_exchange_strong(none, reason);
    const std::lock_guard lock(mutex_);
    if (signals_ != nullptr) signals_->stop();
}

bool Job::enter(std::size_t threads) {
    asked_ = false;
    if (!queue_.enter(*this, threads)) return false;
    feed_.put_event("started", fmt::format(R"({{"threads":{}}})", threads), true);
    return true;
}

planner::Plan Job::think(planner::Planner& planner, const chess::Game& game,
                         const planner::Limits& limits, planner::Observer& observer,
                         bool may_give_way) {
    planner::Signals signals;
    {
        const std::lock_guard lock(mutex_);
        signals_ = &signals;
        may_give_way_ = may_give_way;
    }
    if (is_cancelled() || (may_give_way && is_asked_to_leave())) signals.stop();
    planner::Plan plan = planner.plan(game, limits, observer, signals);
    const std::lock_guard lock(mutex_);
    signals_ = nullptr;
    return plan;
}

void Job::on_place(std::size_t place) {
    feed_.put_event("queued", fmt::format(R"({{"position":{}}})", place), true);
}

void Job::give_way() {
    asked_ = true;
    const std::lock_guard lock(mutex_);
    if (signals_ != nullptr && may_give_way_) signals_->stop();
}

std::shared_ptr<Job> JobList::begin(ThinkingQueue& queue) {
    auto job = std::make_shared<Job>(fmt::format("{:016x}", system_seed().value), queue);
    const std::lock_guard lock(mutex_);
    jobs_.emplace(job->id(), job);
    return job;
}

void JobList::end(const Job& job) {
    const std::lock_guard lock(mutex_);
    jobs_.erase(job.id());
}

std::shared_ptr<Job> JobList::find(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    const auto found = jobs_.find(std::string(id));
    return found == jobs_.end() ? nullptr : found->second;
}

void JobList::stop_all(StopReason reason) {
    std::vector<std::shared_ptr<Job>> jobs;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, job] : jobs_) jobs.push_back(job);
    }
    for (const auto& job : jobs) job->stop(reason);
}

}  // namespace solis::studio
