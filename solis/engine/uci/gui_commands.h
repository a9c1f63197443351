// The commands of a GUI as the engine reads them: go, position, setoption.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/game.h"
#include "solis/engine/uci_protocol.h"

namespace solis::engine {

// `go` in full. Nothing of it fails: what cannot be read is left out and told in `problems`.
struct GoCommand {
    planner::Limits limits;   // its search_moves are legal and each once
    bool restricted = false;  // searchmoves was given
    std::optional<int> perft;
    std::vector<std::string> problems;
};

// `arguments` is what follows the word "go". Words in any order; searchmoves ends at the next word
// that go knows. Numbers below the least that makes sense count as that least one.
[[nodiscard]] GoCommand parse_go(std::string_view arguments, const chess::Position& position);

// "startpos" or "fen FEN", then perhaps "moves ...". The error says which part is wrong.
[[nodiscard]] Result<chess::Game> parse_position(std::string_view arguments);

struct SetOption {
    std::string_view name;   // may contain spaces
    std::string_view value;  // may be empty
};

// "name NAME [value VALUE]"; none without a name.
[[nodiscard]] std::optional<SetOption> parse_setoption(std::string_view arguments);

}  // namespace solis::engine
