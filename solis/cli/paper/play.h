// Playing the paper's experiments: what "paper elo", "depth" and "all" have in common.
#pragma once
#include <vector>

#include "solis/base/console.h"
#include "solis/cli/paper/run_options.h"
#include "solis/lab/paper/depth_report.h"
#include "solis/lab/paper/ladder_report.h"

namespace solis::cli {

struct PlayedLadder {
    std::vector<lab::LadderColumn> games;
    std::vector<lab::RatedColumn> rated;
    bool interrupted = false;
};
// Options have been settled. Plays what the folder does not have.
[[nodiscard]] Result<PlayedLadder> play_ladder(const PaperRunOptions& options, Console& console);

struct PlayedDepths {
    std::vector<lab::LadderColumn> games;  // by configuration
    std::vector<lab::DepthMatch> matches;
    bool interrupted = false;
};
[[nodiscard]] Result<PlayedDepths> play_depths(const PaperRunOptions& options, Console& console);

}  // namespace solis::cli
