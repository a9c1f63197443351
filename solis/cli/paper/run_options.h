// The command lines of "paper elo", "depth" and "nodes".
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solis/cli/command.h"
#include "solis/lab/paper/protocol.h"

namespace solis::cli {

struct PaperRunOptions {
    std::string folder;
    std::string stockfish = "stockfish";
    std::string weights;
    std::vector<int> depths;
    std::vector<int> widths;
    std::vector<std::string> scorings;
    std::vector<int> caps;
    int cap_step = 150;
    std::uint64_t nodes = 0;  // of Stockfish per move; 0: 50 ms
    std::uint64_t games = 0;  // 0: the paper's number
    std::uint64_t seed = 1;
    int concurrency = 0;  // 0: one game per core
    double minutes = 0;   // 0: as long as it takes
    bool quick = false;
    bool json = false;
};

// `papers_games`: the default of --games, for the help.
void add_run_options(Command& command, PaperRunOptions& options, const char* papers_games);
// Fills in what was not given: the paper's values, or with --quick what ends within ten minutes.
void settle_elo(PaperRunOptions& options);
void settle_depth(PaperRunOptions& options);
// Ends the program with a message where a value is out of range.
void check_values(const PaperRunOptions& options);

// Fails where the model cannot be read.
[[nodiscard]] Result<lab::ProtocolOptions> protocol_of(const PaperRunOptions& options,
                                                       std::uint64_t papers_games);
[[nodiscard]] std::vector<lab::PaperConfig> configs_of(const PaperRunOptions& options);

}  // namespace solis::cli
