// The subcommands of solis paper.
#pragma once
#include "solis/cli/command.h"

namespace solis::cli {

void add_paper_all(Command& parent, Session& session);
void add_paper_depth(Command& parent, Session& session);
void add_paper_elo(Command& parent, Session& session);
void add_paper_figures(Command& parent, Session& session);
void add_paper_nodes(Command& parent, Session& session);
void add_paper_tables(Command& parent, Session& session);

}  // namespace solis::cli
