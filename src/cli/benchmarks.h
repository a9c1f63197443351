// The benchmarks of "solis bench", one file each.
#pragma once
#include "cli/command.h"

namespace solis::cli {

void add_bench_data(CLI::App& parent, Session& session);
void add_bench_label(CLI::App& parent, Session& session);
void add_bench_perft(CLI::App& parent, Session& session);
void add_bench_pgn(CLI::App& parent, Session& session);

}  // namespace solis::cli
