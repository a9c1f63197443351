// Matches at equal depth: points and nodes of both sides, in the paper's layout.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "solis/lab/paper/protocol.h"
#include "solis/lab/score_statistics.h"

namespace solis::lab {

// Nodes per move as the engines report them. SOLIS counts positions embedded; the paper counts
// expanded ones only, which are beam_nodes() at most.
struct NodeCount {
    std::uint64_t moves = 0;
    double sum = 0;
    std::uint64_t most = 0;

    [[nodiscard]] double average() const {
        return moves == 0 ? 0 : sum / static_cast<double>(moves);
    }
};

struct DepthMatch {
    PaperConfig config;
    ScoreCount score;  // of SOLIS
    NodeCount solis, stockfish;
    std::uint64_t distinct_games = 0;
};

// Nodes that a plan of S plies and width W expands at most: 1 + W + ... + W^S.
[[nodiscard]] std::uint64_t beam_nodes(const PaperConfig& config);

[[nodiscard]] DepthMatch count_match(const PaperConfig& config, std::span<const GameRecord> games);

[[nodiscard]] std::string depth_text(std::span<const DepthMatch> matches);
[[nodiscard]] std::string nodes_text(std::span<const DepthMatch> matches);
[[nodiscard]] std::string depth_json(std::span<const DepthMatch> matches);
// Points of 100 over depth with their 95 % band; dashed the paper's.
[[nodiscard]] std::string depth_svg(std::span<const DepthMatch> matches);

}  // namespace solis::lab
