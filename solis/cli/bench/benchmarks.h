// The benchmarks of "solis bench", one file each.
#pragma once
#include "solis/cli/command.h"

namespace solis::cli {

void add_bench_ablation(Command& parent, Session& session);
void add_bench_clock(Command& parent, Session& session);
void add_bench_data(Command& parent, Session& session);
void add_bench_depth(Command& parent, Session& session);
void add_bench_encoder(Command& parent, Session& session);
void add_bench_endings(Command& parent, Session& session);
void add_bench_label(Command& parent, Session& session);
void add_bench_perft(Command& parent, Session& session);
void add_bench_pgn(Command& parent, Session& session);
void add_bench_plan(Command& parent, Session& session);
void add_bench_train(Command& parent, Session& session);
void add_bench_tune(Command& parent, Session& session);
void add_bench_uci(Command& parent, Session& session);
void add_bench_umap(Command& parent, Session& session);

}  // namespace solis::cli
