// A piece of thinking that a client has asked for and can stop: a plan, or the review of a game.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "solis/planner/plan.h"
#include "solis/studio/think/feed.h"
#include "solis/studio/think/queue.h"

namespace solis::studio {

// Why a job ended early.
enum class StopReason { None, Stopped, Replaced, ClientGone, Shutdown };

class Job final : public Thinker {
  public:
    Job(std::string id, ThinkingQueue& queue) : id_(std::move(id)), queue_(queue) {}

    [[nodiscard]] const std::string& id() const { return id_; }
    [[nodiscard]] Feed& feed() { return feed_; }

    // From any thread. The first reason counts.
    void stop(StopReason reason);
    [[nodiscard]] StopReason stop_reason() const { return reason_.load(); }
    [[nodiscard]] bool is_cancelled() const override { return reason_.load() != StopReason::None; }

    // --- for the thread that thinks
    // Waits for threads, telling the client its place. False where the job was stopped.
    [[nodiscard]] bool enter(std::size_t threads);
    void leave() { queue_.leave(*this); }
    // One plan; ends early when the job is stopped or, where `may_give_way`, when others wait.
    [[nodiscard]] planner::Plan think(planner::Planner& planner, const chess::Game& game,
                                      const planner::Limits& limits, planner::Observer& observer,
                                      bool may_give_way);
    // Whether others have asked for its threads since it entered.
    [[nodiscard]] bool is_asked_to_leave() const { return asked_.load(); }

    void on_place(std::size_t place) override;
    void give_way() override;

  private:
    const std::string id_;
    ThinkingQueue& queue_;
    Feed feed_;
    std::atomic<StopReason> reason_{StopReason::None};
    std::atomic<bool> asked_{false};
    std::mutex mutex_;
    planner::Signals* signals_ = nullptr;  // of the plan that runs
    bool may_give_way_ = false;
};

// All jobs that have not ended.
class JobList {
  public:
    [[nodiscard]] std::shared_ptr<Job> begin(ThinkingQueue& queue);
    void end(const Job& job);
    // Null where there is none, or none any more.
    [[nodiscard]] std::shared_ptr<Job> find(std::string_view id) const;
    void stop_all(StopReason reason);

  private:
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<Job>> jobs_;
};

// A job from its beginning to its end, whatever happens in between.
class ListedJob {
  public:
    ListedJob(JobList& list, ThinkingQueue& queue) : list_(list), job_(list.begin(queue)) {}
    ListedJob(const ListedJob&) = delete;
    ListedJob& operator=(const ListedJob&) = delete;
    ~ListedJob() { list_.end(*job_); }

    [[nodiscard]] Job& operator*() const { return *job_; }
    [[nodiscard]] const std::shared_ptr<Job>& shared() const { return job_; }

  private:
    JobList& list_;
    std::shared_ptr<Job> job_;
};

}  // namespace solis::studio
