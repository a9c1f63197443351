// The subcommands, one file each.
#pragma once
#include "cli/command.h"

namespace solis::cli {

void add_bench(CLI::App& parent, Session& session);
void add_data(CLI::App& parent, Session& session);
void add_fen(CLI::App& parent, Session& session);
void add_label(CLI::App& parent, Session& session);
void add_model(CLI::App& parent, Session& session);
void add_perft(CLI::App& parent, Session& session);
void add_pgn(CLI::App& parent, Session& session);
void add_train(CLI::App& parent, Session& session);

}  // namespace solis::cli
