// Training runs for tests: to the end, stopped on the way, or killed.
#pragma once
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solis/train/run.h"
#include "solis/train/trainer.h"

namespace solis::train {

// Runs or resumes until the end or until `stop_at` steps are done.
inline Result<RunResult> run(const TrainConfig& config, const std::filesystem::path& folder,
                             std::uint64_t stop_at = UINT64_MAX, bool kill = false) {
    auto trainer = Trainer::open(config, folder);
    if (!trainer) return tl::unexpected(trainer.error());
    const auto validation = ValidationSet::load(config);
    if (!validation) return tl::unexpected(validation.error());
    Console console;
    console.set_quiet(true);
    const auto stop = [&] {
        if ((*trainer)->step() < stop_at) return false;
        if (kill) std::raise(SIGKILL);
        return true;
    };
    return run_training(**trainer, *validation, "test", "0", stop, console);
}

// The same in a process that gets killed.
inline void run_and_kill(const TrainConfig& config, const std::filesystem::path& folder,
                         std::uint64_t kill_at) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        (void)run(config, folder, kill_at, true);
        std::_Exit(1);  // not reached where the run gets as far as it should
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

}  // namespace solis::train
