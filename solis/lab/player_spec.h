// Which engine plays and how long it may think, as one text:
// "name=sf,cmd=stockfish,option.Hash=16,tc=10+0.1".
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solis/base/result.h"
#include "solis/engine/client/uci_client.h"
#include "solis/planner/limits.h"

namespace solis::lab {

using planner::ClockControl;

// What a player may spend on its moves; each move's planner::Limits follow from it. Several may be
// given: the first one reached counts.
struct ThinkLimits {
    std::optional<ClockControl> clock;
    std::optional<std::chrono::milliseconds> movetime;
    std::optional<std::uint64_t> nodes;
    std::optional<int> depth;

    [[nodiscard]] bool any() const { return clock || movetime || nodes || depth; }
    // "10+0.1", "50 ms", "1000 nodes", "depth 8".
    [[nodiscard]] std::string text() const;

    friend bool operator==(const ThinkLimits&, const ThinkLimits&) = default;
};

struct PlayerSpec {
    std::string name;  // empty: what `program` says
    // Path or name. "solis" is this very program, "internal" its engine without a process.
    std::string program;
    std::vector<std::string> arguments;  // of the program
    std::vector<std::pair<std::string, std::string>> options;
    ThinkLimits limits;

    friend bool operator==(const PlayerSpec&, const PlayerSpec&) = default;
};

// Keys: name, cmd, arg (any number), option.NAME, tc=[MOVES/]TIME[+INCREMENT] in seconds or
// minutes:seconds, st=TIME per move (seconds, or with the unit ms, s or min), nodes, depth. A first
// item without '=' is the command. `defaults` holds what the text does not say; one limit in the
// text replaces all limits of the defaults.
[[nodiscard]] Result<PlayerSpec> parse_player(std::string_view text,
                                              const PlayerSpec& defaults = {});
// The same without a command, for values that several players share.
[[nodiscard]] Result<PlayerSpec> parse_player_defaults(std::string_view text);
// Reading it gives the same player.
[[nodiscard]] std::string to_text(const PlayerSpec& player);

// This program as a player.
struct OwnProgram {
    std::string binary{};       // path; what "solis" runs
    std::string name{"SOLIS"};  // what the engine "internal" calls itself
};

// What to start. The error says how to install what is missing.
[[nodiscard]] Result<engine::EngineSpec> to_engine(const PlayerSpec& player, const OwnProgram& own);

}  // namespace solis::lab
