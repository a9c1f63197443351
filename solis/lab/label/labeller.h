// Labels games with several engine processes at once, or with threads of a teacher inside this
// process; games come out in order.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "solis/base/result.h"
#include "solis/data/labelled_game.h"
#include "solis/engine/client/uci_client.h"
#include "solis/lab/label/label_batch.h"
#include "solis/lab/label/task_supply.h"
#include "solis/model/nnue/teacher_net.h"
#include "solis/model/nnue/teacher_search.h"

namespace solis::lab {

struct LabelRun {
    engine::EngineSpec engine;
    // If given, it labels instead of an engine, and `processes` are threads.
    std::shared_ptr<const model::TeacherNet> teacher;
    model::TeacherDepth teacher_depth = model::TeacherDepth::Quiescence;
    int processes = 1;
    LabelOptions labels;
    // 0: as many as this engine is known to take.
    std::size_t pipeline_depth = 0;
    std::chrono::milliseconds search_timeout{30'000};
    // A batch is tried again after a crash or hang, on a new process, but not more often than this.
    int max_attempts = 3;
};

struct LabelStats {
    BatchStats searched;            // also for batches that were given up
    std::uint64_t restarts = 0;     // of engines that failed
    double engine_cpu_seconds = 0;  // of all processes
    bool interrupted = false;
};

struct LabelHooks {
    // Takes the games in the order of the supply; false: enough.
    std::function<Result<bool>(const data::LabelledGame&)> take;
    // Asked several times a second; true ends the run. What is unfinished is dropped.
    std::function<bool()> interrupted = [] { return false; };
    // An engine failed and is started again.
    std::function<void(const Error&)> restarted = [](const Error&) {};
};

// Runs until the supply ends, `take` has enough or the run is interrupted. Games and their order
// are the same for any number of processes if the engine is deterministic. All hooks are called
// from the calling thread.
[[nodiscard]] Result<LabelStats> label_games(const LabelRun& run, TaskSupply& supply,
                                             const LabelHooks& hooks);

}  // namespace solis::lab
