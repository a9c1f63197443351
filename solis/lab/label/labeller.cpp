// Worker threads, one engine each, and the calling thread that puts their batches in order.
#include "solis/lab/label/labeller.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "solis/lab/label/teacher_batch.h"

namespace solis::lab {
namespace {

constexpr std::chrono::milliseconds kLabelInterval{100};
// How many batches per process may wait for an earlier one that is slow.
constexpr std::uint64_t kBatchesAhead = 4;

// Who answers in one thread; made when it is first needed.
struct Labeller {
    std::optional<engine::UciClient> client;
    std::optional<model::TeacherSearch> teacher;
};

struct Batch {
    std::uint64_t number = 0;
    std::vector<LabelTask> tasks;
};

class Crew {
  public:
    Crew(const LabelRun& run, TaskSupply& supply) : run_(run), supply_(supply) {}

    Result<LabelStats> label(const LabelHooks& hooks) {
        std::vector<std::jthread> threads;
        working_ = run_.processes;
        for (int i = 0; i < run_.processes; ++i) threads.emplace_back([this] { work(); });
        const Result<void> done = take_in_order(hooks);
        stop();
        threads.clear();  // joins
        if (error_) return tl::unexpected(*error_);
        if (!done) return tl::unexpected(done.error());
        return stats_;
    }

  private:
    void stop() {
        stop_.request_stop();
        changed_.notify_all();
    }

    // --- worker threads

    void work() {
        Labeller labeller;
        while (auto batch = claim()) {
            if (!label_batch(labeller, *batch)) break;
        }
        const auto& client = labeller.client;
        const std::lock_guard lock(mutex_);
        if (client) stats_.engine_cpu_seconds += client->cpu_time().count();
        --working_;
        changed_.notify_all();
    }

    std::optional<Batch> claim() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] {
            const auto window = kBatchesAhead * static_cast<std::uint64_t>(run_.processes);
            return stop_.stop_requested() || error_ || claimed_ < taken_ + window;
        });
        if (stop_.stop_requested() || error_ || supply_ended_) return std::nullopt;
        auto tasks = supply_.next_batch();
        if (!tasks) {
            error_ = tasks.error();
        } else if (tasks->empty()) {
            supply_ended_ = true;
        } else {
            return Batch{claimed_++, std::move(*tasks)};
        }
        return std::nullopt;
    }

    // False when the run ends.
    bool label_batch(Labeller& labeller, const Batch& batch) {
        std::optional<engine::UciClient>& client = labeller.client;
        for (int attempt = 1; !stop_.stop_requested(); ++attempt) {
            std::vector<LabelTask> tasks = batch.tasks;
            const auto done =
                run_.teacher ? teach_batch(labeller.teacher, tasks) : try_batch(client, tasks);
            if (done) {
                deliver(batch.number, std::move(tasks));
                return true;
            }
            if (stop_.stop_requested()) return false;
            const bool never_started = !client && attempt == 1 && batch.number == 0;
            drop(client);
            if (!report_failure(done.error(), attempt, never_started)) return false;
        }
        return false;
    }

    Result<void> teach_batch(std::optional<model::TeacherSearch>& teacher,
                             std::vector<LabelTask>& tasks) {
        if (!teacher) teacher.emplace(run_.teacher->net, run_.teacher_depth);
        BatchStats stats;
        auto done = run_teacher_batch(*teacher, tasks, stop_.get_token(), stats);
        const std::lock_guard lock(mutex_);
        stats_.searched += stats;
        return done;
    }

    Result<void> try_batch(std::optional<engine::UciClient>& client,
                           std::vector<LabelTask>& tasks) {
        if (!client) {
            auto started = engine::UciClient::start(run_.engine);
            if (!started) return tl::unexpected(started.error());
            client.emplace(std::move(*started));
        }
        PipelineOptions pipeline;
        pipeline.depth =
            run_.pipeline_depth != 0 ? run_.pipeline_depth : safe_pipeline_depth(*client);
        pipeline.search_timeout = run_.search_timeout;
        pipeline.stop = stop_.get_token();
        BatchStats stats;
        auto done = run_batch(*client, tasks, run_.labels, pipeline, stats);
        const std::lock_guard lock(mutex_);
        stats_.searched += stats;
        return done;
    }

    void drop(std::optional<engine::UciClient>& client) {
        const double cpu = client ? client->cpu_time().count() : 0;
        client.reset();
        const std::lock_guard lock(mutex_);
        stats_.engine_cpu_seconds += cpu;
    }

    void deliver(std::uint64_t number, std::vector<LabelTask>&& tasks) {
        std::vector<data::LabelledGame> games;
        for (LabelTask& task : tasks) games.push_back(std::move(task).take());
        const std::lock_guard lock(mutex_);
        ready_.emplace(number, std::move(games));
        changed_.notify_all();
    }

    // False if it is time to give up.
    bool report_failure(const Error& error, int attempt, bool never_started) {
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
        if (never_started) {
            error_ = error;
        } else if (attempt >= run_.max_attempts) {
            error_ = Error{fmt::format("the engine failed {} times on the same games, at last: {}",
                                       attempt, error.message),
                           "what is labelled so far is kept; try another engine or --timeout"};
        } else {
            ++stats_.restarts;
            failures_.push_back(error);
        }
        return !error_;
    }

    // --- the calling thread

    Result<void> take_in_order(const LabelHooks& hooks) {
        while (true) {
            std::vector<Error> failures;
            std::vector<data::LabelledGame> games;
            bool finished = false;
            {
                std::unique_lock lock(mutex_);
                changed_.wait_for(lock, kLabelInterval, [&] {
                    return working_ == 0 || ready_.contains(taken_) || !failures_.empty();
                });
                failures.swap(failures_);
                if (const auto next = ready_.find(taken_); next != ready_.end()) {
                    games = std::move(next->second);
                    ready_.erase(next);
                    ++taken_;
                    changed_.notify_all();
                } else {
                    finished = working_ == 0;
                }
            }
            for (const Error& error : failures) hooks.restarted(error);
            for (const data::LabelledGame& game : games) {
                const auto more = hooks.take(game);
                if (!more) return tl::unexpected(more.error());
                if (!*more) return {};
            }
            stats_.interrupted = hooks.interrupted();
            if (finished || stats_.interrupted) return {};
        }
    }

    const LabelRun& run_;
    TaskSupply& supply_;
    std::stop_source stop_;
    std::mutex mutex_;  // guards all below
    std::condition_variable changed_;
    std::map<std::uint64_t, std::vector<data::LabelledGame>> ready_;
    std::uint64_t claimed_ = 0;  // batches given to workers
    std::uint64_t taken_ = 0;    // batches given to the hook
    bool supply_ended_ = false;
    int working_ = 0;
    std::optional<Error> error_;
    std::vector<Error> failures_;
    LabelStats stats_;
};

}  // namespace

Result<LabelStats> label_games(const LabelRun& run, TaskSupply& supply, const LabelHooks& hooks) {
    return Crew(run, supply).label(hooks);
}

}  // namespace solis::lab
