// What tests of matches share: the fake engine as a player, folders that go away.
#pragma once
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solis/engine/client/child_process.h"
#include "solis/lab/match/match_runner.h"
#include "tests/base/temporary_folder.h"

namespace solis::lab {

// A player that is the fake engine in one of its modes.
inline PlayerSpec fake_player(std::string name, std::vector<std::string> arguments,
                              const ThinkLimits& limits) {
    PlayerSpec player;
    player.name = std::move(name);
    player.program = SOLIS_FAKE_ENGINE;
    player.arguments = std::move(arguments);
    player.limits = limits;
    return player;
}

inline ThinkLimits nodes_limit() {
    ThinkLimits limits;
    limits.nodes = 100;
    return limits;
}

inline ThinkLimits move_time(int milliseconds) {
    ThinkLimits limits;
    limits.movetime = std::chrono::milliseconds(milliseconds);
    return limits;
}

// The end of a command that runs to its end.
inline engine::ExitStatus run_to_end(const std::vector<std::string>& words) {
    auto child = engine::ChildProcess::start(words);
    EXPECT_TRUE(child) << child.error().message;
    return child->exit_status(std::chrono::milliseconds(120'000))
        .value_or(engine::ExitStatus{true, 0});
}

}  // namespace solis::lab
