// What every subcommand shares: how it is declared and how it reports.
#pragma once
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/console.h"

namespace solis::cli {

// Options that every subcommand understands, and where it leaves its exit code.
struct Session {
    Console console;
    ExitCode exit_code = ExitCode::Ok;
};

// Declares one subcommand under `parent`; CLI11 calls its callback, which sets the exit code.
using AddCommand = void (*)(CLI::App& parent, Session& session);

// Adds "--json" with the usual wording.
void add_json_flag(CLI::App& command, bool& json);
// One JSON value on one line of stdout.
void print_json(Console& console, const nlohmann::ordered_json& value);

}  // namespace solis::cli
