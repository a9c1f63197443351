// The pipeline between the tasks and one engine.
#include "lab/label_batch.h"

#include <algorithm>
#include <deque>
#include <thread>

namespace solis::lab {
namespace {

using Clock = std::chrono::steady_clock;

// Engines print a line per iteration. Waking up for each of them costs as much as the search, so
// the reader sleeps while half of the queue is searched, and then reads many answers at once.
class ReadPacer {
  public:
    // Call before waiting, with `ahead` searches in the queue beyond those to be read now.
    void rest(std::size_t ahead) {
        const Clock::duration nap = per_search_ * static_cast<long>(ahead);
        if (nap > kWorthSleeping) std::this_thread::sleep_for(nap);
    }
    void searched(std::size_t count, Clock::duration time) {
        if (count == 0) return;
        const Clock::duration now = time / static_cast<long>(count);
        // A hiccup must not make the next naps long: the estimate falls at once and rises slowly.
        per_search_ = now < per_search_ ? now : per_search_ + (now - per_search_) / 16;
    }

  private:
    static constexpr std::chrono::microseconds kWorthSleeping{100};

    Clock::duration per_search_{0};
};

class Pipeline {
  public:
    Pipeline(engine::UciClient& client, std::span<LabelTask> tasks, const LabelOptions& options,
             const PipelineOptions& pipeline)
        : client_(client), tasks_(tasks), options_(options), pipeline_(pipeline) {}

    Result<BatchStats> run() {
        if (auto ready = client_.new_game(); !ready) return tl::unexpected(ready.error());
        for (std::size_t i = 0; i < tasks_.size(); ++i) collect(i);
        while (!waiting_.empty() || !in_flight_.empty()) {
            if (pipeline_.stop.stop_requested()) return fail("stopped");
            const Clock::time_point start = Clock::now();
            send();
            if (auto sent = client_.flush(); !sent) return tl::unexpected(sent.error());
            // Read down to half of the depth, so that the engine always has a search to go on with.
            const std::size_t keep = waiting_.empty() ? 0 : pipeline_.depth / 2;
            const std::size_t answers = std::max<std::size_t>(in_flight_.size() - keep, 1);
            pacer_.rest(answers / 2);
            for (std::size_t i = 0; i < answers; ++i) {
                if (auto done = receive(); !done) return tl::unexpected(done.error());
            }
            pacer_.searched(answers, Clock::now() - start);
        }
        return stats_;
    }

  private:
    struct Item {
        std::size_t task;
        SearchRequest request;
    };

    // Moves a task's new requests to the end of the queue.
    void collect(std::size_t task) {
        std::deque<SearchRequest>& requests = tasks_[task].requests();
        for (const SearchRequest& request : requests) waiting_.push_back({task, request});
        requests.clear();
    }

    void send() {
        while (!waiting_.empty() && in_flight_.size() < pipeline_.depth) {
            const SearchRequest& request = waiting_.front().request;
            const bool deeper = request.purpose == SearchRequest::Purpose::SecondLook;
            client_.position(request.position);
            client_.go(deeper ? options_.second_limits : options_.limits);
            in_flight_.push_back(std::move(waiting_.front()));
            waiting_.pop_front();
        }
    }

    Result<void> receive() {
        auto report = client_.wait_bestmove(pipeline_.search_timeout);
        if (!report) return tl::unexpected(report.error());
        const Item item = in_flight_.front();
        in_flight_.pop_front();
        ++stats_.searches;
        stats_.nodes += report->nodes;
        if (auto taken = tasks_[item.task].answer(item.request, *report); !taken) return taken;
        collect(item.task);
        return {};
    }

    engine::UciClient& client_;
    std::span<LabelTask> tasks_;
    const LabelOptions& options_;
    const PipelineOptions& pipeline_;
    std::deque<Item> waiting_;
    std::deque<Item> in_flight_;
    ReadPacer pacer_;
    BatchStats stats_;
};

}  // namespace

Result<BatchStats> run_batch(engine::UciClient& client, std::span<LabelTask> tasks,
                             const LabelOptions& options, const PipelineOptions& pipeline) {
    return Pipeline(client, tasks, options, pipeline).run();
}

std::size_t safe_pipeline_depth(const engine::UciClient& client) {
    constexpr std::size_t kStockfishDepth = 16;
    return client.name().starts_with("Stockfish") ? kStockfishDepth : 1;
}

}  // namespace solis::lab
