// Comments of PGN and the commands inside them: [%eval 0.17], [%clk 0:01:30], [%emt 0:00:03].
#pragma once
#include <string>
#include <string_view>

#include "solis/chess/pgn/game.h"

namespace solis::chess {

// Adds what a comment says to `node`: a note for each command that can be read, then the text
// that is left. Other commands ([%cal ...], a malformed [%eval ...]) stay in the text. Bytes that
// are not UTF-8 are read as Latin-1, control characters become blanks, and '}', which only a ';'
// comment can contain, becomes ')'. `scratch` is overwritten.
void add_comment_notes(PgnGame& game, std::uint32_t node, bool before_move, std::string_view raw,
                       std::string& scratch);

// The command of a note that is neither comment nor NAG: "[%eval #-4]".
void append_command(std::string& text, const PgnNote& note);

}  // namespace solis::chess
