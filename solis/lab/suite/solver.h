// Puts the problems of a suite to an engine.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/engine/client/uci_client.h"
#include "solis/lab/player_spec.h"
#include "solis/lab/suite/suite.h"

namespace solis::lab {

struct Attempt {
    bool made = false;        // false: the run was interrupted before
    int points = 0;           // of Problem::max_points()
    bool solved = false;      // all of them
    bool proved = false;      // of a mate: the line shown ends in it, in time
    std::string played;       // the last move the engine chose, UCI
    std::string fault;        // the engine failed: how
    std::uint64_t nodes = 0;  // of all searches
    double seconds = 0;

    friend bool operator==(const Attempt&, const Attempt&) = default;
};

struct SolveOptions {
    int processes = 1;
    // For a search without a time limit, and beyond one.
    std::chrono::milliseconds search_timeout{600'000};
};

struct SolveHooks {
    std::function<void(std::size_t done)> progress = [](std::size_t) {};
    std::function<bool()> interrupted = [] { return false; };
};

// One problem on an engine that is ready. It forgets everything first, so that an answer does not
// depend on the problems before. An error means that the engine has to be started again.
[[nodiscard]] Result<Attempt> solve(const Problem& problem, engine::UciClient& client,
                                    const planner::Limits& limits,
                                    std::chrono::milliseconds timeout);

// Attempts in the order of the problems. A problem on which the engine crashes or hangs counts as
// failed, and the engine is started again. Where the run was interrupted, some have not been made.
// Clocks are no limit for single positions.
[[nodiscard]] Result<std::vector<Attempt>> solve_all(const Suite& suite, const PlayerSpec& player,
                                                     const engine::EngineSpec& engine,
                                                     const SolveOptions& options,
                                                     const SolveHooks& hooks);

}  // namespace solis::lab
