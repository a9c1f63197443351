// The command line of "match" turned into a match.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/tablebase.h"
#include "solis/cli/command.h"
#include "solis/lab/match/match_runner.h"

namespace solis::cli {

struct MatchFlags {
    std::vector<std::string> engines;
    std::string each;
    std::uint64_t games = 100;  // per pairing
    bool gauntlet = false;
    bool unpaired = false;
    std::string openings;
    int opening_plies = 16;
    bool openings_in_order = false;
    bool chess960 = false;
    std::uint64_t seed = 1;
    int concurrency = 0;  // 0: one game per core
    bool recover = false;
    std::string draw;
    std::string resign;
    int max_moves = 0;
    std::string tablebases;
    int time_margin = -1;       // ms; -1: the defaults
    double start_timeout = 30;  // seconds
    double hang_after = 5;
    double search_timeout = 600;
};

void add_match_flags(Command& command, MatchFlags& flags);

struct PreparedMatch {
    lab::MatchSetup setup;
    std::unique_ptr<chess::Tablebase> tablebase;  // setup points to it
    // All that decides what is played and how it is judged, as JSON: a log is only continued by
    // its like. The number of games is not part of it.
    std::string identity;
};

// Finds and starts every engine once, so that a wrong path or option is told at once, and reads
// the openings.
[[nodiscard]] Result<PreparedMatch> prepare_match(const MatchFlags& flags);

}  // namespace solis::cli
