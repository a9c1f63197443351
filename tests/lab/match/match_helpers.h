// What tests of matches share: the fake engine as a player, folders that go away.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/match/match_runner.h"

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

class TemporaryFolder {
  public:
    TemporaryFolder()
        : path_(std::filesystem::temp_directory_path() /
                ("solis-match-" + std::to_string(::getpid()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::filesystem::create_directories(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    [[nodiscard]] std::string file(const std::string& name) const {
        return (path_ / name).string();
    }

  private:
    std::filesystem::path path_;
};

}  // namespace solis::lab
