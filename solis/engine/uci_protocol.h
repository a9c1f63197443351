// The words of UCI as a GUI reads and writes them: options, info and bestmove lines, go commands.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/position.h"
#include "solis/chess/uci_move.h"
#include "solis/planner/limits.h"

namespace solis::engine {

enum class OptionType { Check, Spin, Combo, Button, String };

struct UciOption {
    std::string name{};  // may contain spaces
    OptionType type = OptionType::String;
    std::string default_value{};
    long long min = 0;  // of a spin
    long long max = 0;
    std::vector<std::string> choices{};  // of a combo

    // Fails if `value` is not one the engine said it takes.
    [[nodiscard]] Result<void> check(std::string_view value) const;
};

enum class ScoreBound { Exact, Lower, Upper };

// As reported: from the side to move's point of view.
struct UciScore {
    bool is_mate = false;
    int value = 0;  // centipawns, or moves to mate (negative: being mated)
    ScoreBound bound = ScoreBound::Exact;

    friend bool operator==(const UciScore&, const UciScore&) = default;
};

// One info line. What the line does not say is 0 or empty.
struct SearchInfo {
    int depth = 0;
    int seldepth = 0;
    int multipv = 1;
    std::optional<UciScore> score;
    std::uint64_t nodes = 0;
    std::uint64_t nps = 0;
    std::uint64_t time_ms = 0;
    std::uint64_t tbhits = 0;
    int hashfull = 0;
    std::string_view pv;  // moves separated by spaces; points into the line
};

struct BestMove {
    std::string_view move;    // as written; "(none)" and "0000" where there is no legal move
    std::string_view ponder;  // empty where there is none
};

// All take a whole line; none if it is another kind of line or lacks its point (the option's name,
// the best move). Broken parts of an info line are skipped, the rest of it counts.
[[nodiscard]] std::optional<UciOption> parse_option(std::string_view line);
[[nodiscard]] std::optional<SearchInfo> parse_info(std::string_view line);
[[nodiscard]] std::optional<BestMove> parse_bestmove(std::string_view line);

// Append one command with its line end. `go` says what UCI has words for: not the root moves, nor
// what only a planner inside this process understands (embeddings, other clocks).
void append_go(std::string& out, const planner::Limits& limits);
void append_position(std::string& out, const chess::Position& start,
                     std::span<const chess::Move> moves = {},
                     chess::CastlingNotation castling = chess::CastlingNotation::Automatic);

}  // namespace solis::engine
