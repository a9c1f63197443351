// The engine's bench: fixed positions at a fixed depth, whose node count is a signature of what
// the engine does.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "solis/model/evaluator.h"
#include "solis/planner/limits.h"

namespace solis::engine {

inline constexpr int kBenchDepth = 5;

struct BenchResult {
    std::uint64_t nodes = 0;
    std::uint64_t embedded = 0;
    std::uint64_t milliseconds = 0;
    bool stopped = false;  // by the signals: the count means nothing
};

// Default settings and one thread, whatever the options say, so that the count depends on the
// model and the code only. `tell` hears one line per position.
[[nodiscard]] BenchResult run_bench(std::shared_ptr<const model::LoadedModel> model, int depth,
                                    const planner::Signals& signals,
                                    const std::function<void(std::string_view)>& tell);

}  // namespace solis::engine
