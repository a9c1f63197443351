// Options that "label" and "bench label" share.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/cli/command.h"
#include "solis/lab/label/labeller.h"

namespace solis::cli {

// Whole iterations: a search that a node limit cuts short inside an iteration has looked at some
// moves deeper than at others. Beside labels of 1,500 nodes, depth 4 orders positions within 200
// centipawns of equality better than 120 nodes do (rank correlation .79 and .77), at about the same
// cost.
inline constexpr int kDefaultDepth = 4;

struct LabelFlags {
    std::string engine;                // empty: the installed Stockfish
    std::string teacher;               // net file that labels inside this process instead
    int plies = -1;                    // of the teacher; -1: see plies_of
    std::vector<std::string> options;  // NAME=VALUE
    int processes = 0;                 // 0: one per core
    std::uint64_t seed = 1;
    // What each search may use; 0 where the user did not say. Without any of them kDefaultDepth.
    std::uint64_t nodes = 0;
    int depth = 0;
    int movetime = 0;
    std::string children = "1";
    std::vector<int> opening_plies;  // MIN MAX, if given
    std::uint64_t second_nodes = 1500;
    std::size_t pipeline = 0;
    double timeout = 30;
    lab::LabelOptions labels;  // filled in from the above when parsing ends
    lab::SelfPlayOptions play;
};

void add_label_flags(Command& command, LabelFlags& flags);

struct PreparedRun {
    lab::LabelRun run;
    std::string engine_name;
};
// Finds the engine (the error says how to install it) and starts it once to see that it works.
// Hash is the smallest there is unless an option says otherwise: short searches need none, and
// a small one stays in the cache.
[[nodiscard]] Result<PreparedRun> prepare_label_run(const LabelFlags& flags, bool chess960);

// Plies that the teacher looks at before quiescence: self-play needs a move, so one; given
// positions need none.
[[nodiscard]] int plies_of(const LabelFlags& flags, bool self_play);
// Reads the teacher's net; there is nothing to find or start.
[[nodiscard]] Result<PreparedRun> prepare_teacher_run(const LabelFlags& flags, bool self_play);
// "quiescence", "one ply and quiescence", or the limits of an engine's search.
[[nodiscard]] std::string describe_depth(const LabelFlags& flags, const lab::LabelRun& run);
// "120 nodes", "depth 8", "50 ms".
[[nodiscard]] std::string describe_limits(const planner::Limits& limits);
// "self-play, opening 2-9 random plies, ..."
[[nodiscard]] std::string describe_self_play(const LabelFlags& flags);
// "1 children, ..."
[[nodiscard]] std::string describe_labels(const LabelFlags& flags);

}  // namespace solis::cli
