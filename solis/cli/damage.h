// The rule for damaged stores, the same in every command that reads them: stop, and say which file,
// which block and how many games, unless --skip-damaged asks for the rest.
#pragma once
#include "solis/cli/command.h"
#include "solis/data/game_source.h"
#include "solis/data/store/reader.h"

namespace solis::cli {

// Adds "--skip-damaged" with the usual wording.
void add_skip_damaged_flag(Command& command, bool& skip_damaged);
[[nodiscard]] data::OnDamage on_damage(bool skip_damaged);
// Warns of what was skipped: how many places and games, and the first of them.
void report_damage(Console& console, const data::ImportReport& report);

}  // namespace solis::cli
