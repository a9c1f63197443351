// The pipeline between the tasks and one engine.
#include "solis/lab/label/label_batch.h"

#include <algorithm>
#include <deque>
#include <thread>

namespace solis::lab {
namespace {

using Clock = std::chrono::steady_clock;

// Engines print a line per iteration. Waking up for each of them costs as much as a short search,
// so the reader sleeps until most of the answers it waits for are there, and reads them at once.
class ReadPacer {
  public:
    void rest(std::size_t answers) const {
        const Clock::duration nap =
            std::min<Clock::duration>(per_search_ * static_cast<long>(answers) * 9 / 10, kLongest);
        if (nap > kShortest) std::this_thread::sleep_for(nap);
    }
    // The estimate falls at once, by a tenth at most since the nap is part of `time`, and rises
    // slowly: a hiccup of the machine must not make the next naps long.
    void searched(std::size_t count, Clock::duration time) {
        const Clock::duration now = time / static_cast<long>(count);
        const bool take_over = per_search_ == Clock::duration::zero() || now < per_search_;
        per_search_ = take_over ? now : per_search_ + (now - per_search_) / 16;
    }

  private:
    static constexpr std::chrono::microseconds kShortest{100};
    static constexpr std::chrono::microseconds kLongest{20'000};

    Clock::duration per_search_{0};
};

class Pipeline {
  public:
    Pipeline(engine::UciClient& client, std::span<LabelTask> tasks, const LabelOptions& options,
             const PipelineOptions& pipeline, BatchStats& stats)
        : client_(client), tasks_(tasks), options_(options), pipeline_(pipeline), stats_(stats) {}

    Result<void> run() {
        if (auto ready = client_.new_game(); !ready) return ready;
        for (std::size_t i = 0; i < tasks_.size(); ++i) collect(i);
        while (!waiting_.empty() || !in_flight_.empty()) {
            if (pipeline_.stop.stop_requested()) return fail("stopped");
            const Clock::time_point start = Clock::now();
            send();
            if (auto sent = client_.flush(); !sent) return sent;
            // The other half keeps the engine busy until the queue is filled up again.
            const std::size_t answers = (in_flight_.size() + 1) / 2;
            if (answers < in_flight_.size()) pacer_.rest(answers);
            for (std::size_t i = 0; i < answers; ++i) {
                if (auto done = receive(); !done) return done;
            }
            pacer_.searched(answers, Clock::now() - start);
        }
        return {};
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
    BatchStats& stats_;
};

}  // namespace

Result<void> run_batch(engine::UciClient& client, std::span<LabelTask> tasks,
                       const LabelOptions& options, const PipelineOptions& pipeline,
                       BatchStats& stats) {
    return Pipeline(client, tasks, options, pipeline, stats).run();
}

std::size_t safe_pipeline_depth(const engine::UciClient& client) {
    constexpr std::size_t kStockfishDepth = 32;
    return client.name().starts_with("Stockfish") ? kStockfishDepth : 1;
}

}  // namespace solis::lab
