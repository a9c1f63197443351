// The memories of clients: a planner for each session, kept from one plan to the next.
#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "solis/planner/plan.h"
#include "solis/studio/models.h"
#include "solis/studio/think/job.h"

namespace solis::studio {

// One board of a client. Used by one job at a time.
class ClientSession {
  public:
    // Stops the job before, which will then give the planner back, and takes its place.
    void begin(const std::shared_ptr<Job>& job);
    // The planner with these settings, made anew where the model is another. The lock is held by
    // whoever uses it.
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(busy_); }
    [[nodiscard]] planner::Planner& planner(const StudioModel& model,
                                            const planner::Settings& settings);

  private:
    std::mutex mutex_;
    std::weak_ptr<Job> running_;
    std::mutex busy_;  // held while the planner is used
    std::string model_;
    std::optional<planner::Planner> planner_;
};

// The sessions used last.
class SessionShelf {
  public:
    explicit SessionShelf(std::size_t most) : most_(most) {}

    // An empty name is a session of its own, that nobody else gets.
    [[nodiscard]] std::shared_ptr<ClientSession> find(const std::string& name);

  private:
    const std::size_t most_;
    std::mutex mutex_;
    std::list<std::pair<std::string, std::shared_ptr<ClientSession>>> sessions_;  // newest first
};

}  // namespace solis::studio
