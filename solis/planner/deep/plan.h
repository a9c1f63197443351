// The deep plan: iterative deepening under the clock, on one or more threads.
#pragma once
#include <deque>

#include "solis/planner/deep/search.h"

namespace solis::planner {

// What the deep plan keeps from one move to the next.
class DeepMemory {
  public:
    explicit DeepMemory(std::size_t hash_megabytes) : table(hash_megabytes) {}

    // Makes the evaluators of threads that have none yet, which takes milliseconds for a large
    // model.
    void prepare(const model::LoadedModel& model, int threads);
    // prepare() must have made it.
    [[nodiscard]] ThreadMemory& of_thread(int thread) {
        return threads_[static_cast<std::size_t>(thread)];
    }
    // Empty memory with a table of another size.
    void resize(std::size_t hash_megabytes);
    void clear();

    // Of the model that prepare() was called with.
    [[nodiscard]] const LogOdds& log_odds() const { return *log_odds_; }

    TranspositionTable table;

  private:
    std::optional<LogOdds> log_odds_;
    std::deque<ThreadMemory> threads_;
};

[[nodiscard]] Plan run_deep_plan(const Task& task, DeepMemory& memory);

}  // namespace solis::planner
