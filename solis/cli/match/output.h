// What a match leaves behind: tables or JSON on stdout, and files.
#pragma once
#include <string>

#include "solis/cli/command.h"
#include "solis/lab/match/match_report.h"

namespace solis::cli {

// Files that were asked for; empty: not this one.
struct MatchOutput {
    std::string pgn;
    std::string html;
    std::string report;  // JSON
    Existing existing = Existing::Refuse;
    bool json = false;  // on stdout, instead of tables
};

void add_output_flags(Command& command, MatchOutput& output);

// Whether the files can be written, asked before the first game.
[[nodiscard]] Result<void> check_outputs(const MatchOutput& output);
// Sorts the games. A file that cannot be written is told, and the others are written all the same.
[[nodiscard]] ExitCode publish(const MatchOutput& output, lab::MatchReport& report,
                               Console& console);

}  // namespace solis::cli
