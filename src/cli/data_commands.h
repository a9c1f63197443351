// The subcommands of `solis data`, one file each.
#pragma once
#include "cli/command.h"

namespace solis::cli {

void add_data_export(CLI::App& parent, Session& session);
void add_data_import(CLI::App& parent, Session& session);
void add_data_info(CLI::App& parent, Session& session);

}  // namespace solis::cli
