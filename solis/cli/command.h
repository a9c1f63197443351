// What every subcommand shares: how it is declared and how it reports.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "solis/base/console.h"
#include "solis/base/output.h"
#include "solis/cli/arguments.h"

namespace solis::cli {

// Options that every subcommand understands, and where it leaves its exit code.
struct Session {
    Console console;
    ExitCode exit_code = ExitCode::Ok;
};

// Declares one subcommand under `parent`; its callback sets the exit code.
using AddCommand = void (*)(Command& parent, Session& session);

// Adds "--json" with the usual wording.
void add_json_flag(Command& command, bool& json);
// Adds "--force", without which a command replaces no file: pass `existing` to whatever writes the
// output, and to check_output() before work that takes long.
void add_force_flag(Command& command, Existing& existing);
// One JSON value on one line of stdout.
void print_json(Console& console, const nlohmann::ordered_json& value);

}  // namespace solis::cli
