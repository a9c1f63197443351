// The paper's experiments as matches: who plays, under which conditions, and the games so far.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/lab/match/game_record.h"
#include "solis/lab/match/schedule.h"
#include "solis/lab/paper/published.h"
#include "solis/lab/player_spec.h"

namespace solis::lab {

struct PaperConfig {
    int depth = 5;  // S
    int width = 3;  // W
    Scoring scoring = Scoring::Unanchored;

    // "S5-W3-unanchored".
    [[nodiscard]] std::string name() const;
};

struct ProtocolOptions {
    std::filesystem::path folder;  // logs of the games; the same folder continues
    OwnProgram own;                // plays as SOLIS
    std::string stockfish = "stockfish";
    std::string weights;        // model file of SOLIS; empty: the embedded one
    std::string model_hash;     // of its bytes: a folder holds the games of one model
    std::uint64_t games = 100;  // of each pairing; in pairs, so an odd number is rounded up
    std::uint64_t seed = 1;     // of the order of openings
    int concurrency = 1;
    // Of Stockfish per move, instead of 50 ms; 0: 50 ms. A busy machine does not change nodes.
    std::uint64_t stockfish_nodes = 0;
};

// The paper plan with fixed depth and width; no clock, as in the paper.
[[nodiscard]] PlayerSpec solis_player(const PaperConfig& config, const ProtocolOptions& options);
// Stockfish limited to a rating, 50 ms (or the nodes of the options) per move, 32 MB.
[[nodiscard]] PlayerSpec capped_stockfish(int cap, const ProtocolOptions& options);
[[nodiscard]] std::string capped_name(int cap);
// Stockfish to a fixed depth, at most 50 ms per move, 32 MB.
[[nodiscard]] PlayerSpec stockfish_at_depth(int depth, const ProtocolOptions& options);

// The range of UCI_Elo that the engine offers.
struct CapRange {
    int low = 0, high = 0;
};
[[nodiscard]] Result<CapRange> cap_range(const ProtocolOptions& options);
// From 1350, or what the engine can do, in steps to its maximum, which is always included.
[[nodiscard]] std::vector<int> caps_in(const CapRange& range, int step);

// The first player against each of the others, from paired openings.
struct ProtocolMatch {
    std::string name;  // of its log, without ".log"
    std::vector<PlayerSpec> players;
};

struct ProtocolHooks {
    // Also where one side is to blame for the end.
    std::function<void(const GameRecord&)> on_game = [](const GameRecord&) {};
    // Asked several times a second; false ends the match early.
    std::function<bool()> going_on = [] { return true; };
};

struct ProtocolGames {
    std::vector<GameRecord> games;  // by number, earlier sessions included
    std::uint64_t planned = 0;
};

// Plays what is missing. Games that ended by a fault (crash, time, illegal move) do not count and
// are played again by the next call. Every game is on the disk when it has ended: killed at any
// moment, the same call continues.
[[nodiscard]] Result<ProtocolGames> play_protocol(const ProtocolMatch& match,
                                                  const ProtocolOptions& options,
                                                  const ProtocolHooks& hooks);

}  // namespace solis::lab
