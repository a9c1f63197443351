// A match spread over processes by mpirun: who this process is, and the logs of all of them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/lab/match/game_log.h"

namespace solis::lab {

// Games need no talk between processes, so what mpirun tells its children in the environment is
// enough and no MPI library is linked. The folder of the log must be shared by all machines.
struct Ranks {
    int rank = 0;
    int size = 1;

    [[nodiscard]] bool plays(std::uint64_t game) const {
        return game % static_cast<std::uint64_t>(size) == static_cast<std::uint64_t>(rank);
    }
    [[nodiscard]] bool leads() const { return rank == 0; }
};

// From the variables of Open MPI or of PMI (MPICH, Slurm's srun); one process where there are none.
[[nodiscard]] Ranks ranks_from_environment();

// Rank 0 writes `log` itself, the others "log.rank3" beside it.
[[nodiscard]] std::filesystem::path log_of_rank(const std::filesystem::path& log, int rank);
// The games of the log and of all rank files beside it, each number once. Files that belong to
// another match are an error.
[[nodiscard]] Result<std::vector<GameRecord>> read_all_logs(const std::filesystem::path& log);
// Moves the games of rank files into the open log and removes the files, except those that other
// processes are writing. Killed at any moment, it neither loses nor doubles a game.
[[nodiscard]] Result<void> absorb_rank_logs(const std::filesystem::path& log, GameLog& open_log);
// Whether another process is writing one of the rank files.
[[nodiscard]] bool other_ranks_write(const std::filesystem::path& log);

}  // namespace solis::lab
