// Planners that remember.
#include "solis/studio/think/sessions.h"

#include <algorithm>

namespace solis::studio {

void ClientSession::begin(const std::shared_ptr<Job>& job) {
    std::shared_ptr<Job> before;
    {
        const std::lock_guard lock(mutex_);
        before = running_.lock();
        running_ = job;
    }
    if (before) before->stop(StopReason::Replaced);
}

planner::Planner& ClientSession::planner(const StudioModel& model,
                                         const planner::Settings& settings) {
    if (planner_ && model_ == model.id) {
        planner_->set(settings);
    } else {
        planner_.emplace(model.loaded, settings);
        model_ = model.id;
    }
    return *planner_;
}

std::shared_ptr<ClientSession> SessionShelf::find(const std::string& name) {
    if (name.empty()) return std::make_shared<ClientSession>();
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(sessions_.begin(), sessions_.end(),
                                    [&](const auto& session) { return session.first == name; });
    if (found != sessions_.end()) {
        sessions_.splice(sessions_.begin(), sessions_, found);
    } else {
        sessions_.emplace_front(name, std::make_shared<ClientSession>());
        // A session in use lives on with the job that uses it.
        if (sessions_.size() > most_) sessions_.pop_back();
    }
    return sessions_.front().second;
}

}  // namespace solis::studio
