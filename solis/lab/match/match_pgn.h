// The games of a match as PGN.
#pragma once
#include <span>
#include <string>

#include "solis/lab/match/game_record.h"

namespace solis::lab {

struct PgnHeading {
    std::string event = "SOLIS match";
    std::string site = "?";
};

// Comments hold what data tools read: [%eval pawns,depth] from White's view, [%emt] as measured,
// and the number of nodes.
void append_pgn(std::string& text, const GameRecord& game, const PgnHeading& heading);

}  // namespace solis::lab
