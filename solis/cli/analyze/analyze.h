// What the parts of "solis analyze" share.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "solis/analysis/analyst.h"
#include "solis/cli/command.h"
#include "solis/cli/model_choice.h"

namespace solis::cli {

struct AnalyzeOptions {
    std::vector<std::string> input;
    std::string list;  // file of positions
    ModelChoice model;
    std::string plan = "deep";
    std::string out = "-";
    Existing existing = Existing::Refuse;
    int depth = 0;
    std::uint64_t nodes = 0;
    std::uint64_t movetime = 0;
    int lines = 3;
    int threads = 1;
    int hash = 64;
    bool json = false;
};

// Where nothing else limits. A game has many positions.
inline constexpr planner::Milliseconds kTimePerPosition{2000};
inline constexpr planner::Milliseconds kTimePerGameMove{200};

// `time` is what a position gets where the options say nothing.
[[nodiscard]] Result<analysis::Analyst> make_analyst(const AnalyzeOptions& options,
                                                     planner::Milliseconds time, int lines,
                                                     std::function<bool()> stop_requested);
void add_verdict(nlohmann::ordered_json& json, const analysis::Verdict& verdict);

// Positions among command-line words: each FEN one word, or spread over several; "startpos".
[[nodiscard]] Result<std::vector<chess::Position>> positions_from_words(
    const std::vector<std::string>& words);
// One position per line, as FEN or EPD; '-' is standard input. Empty lines and those that begin
// with '#' are left out.
[[nodiscard]] Result<std::vector<chess::Position>> positions_from_list(const std::string& path);

// Best lines of each. An interrupt ends the position in hand with the lines so far.
[[nodiscard]] ExitCode analyze_positions(const std::vector<chess::Position>& positions,
                                         const AnalyzeOptions& options, Console& console);
// A PGN file with comments on its games.
[[nodiscard]] ExitCode analyze_games(const std::string& path, const AnalyzeOptions& options,
                                     Console& console);

}  // namespace solis::cli
