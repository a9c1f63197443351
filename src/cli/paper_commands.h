// The subcommands of solis paper, one file each.
#pragma once
#include "cli/command.h"

namespace solis::cli {

void add_paper_tables(Command& parent, Session& session);

}  // namespace solis::cli
