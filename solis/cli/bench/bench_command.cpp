// solis bench: speed as a ratio to a peer, measured in the same run.
#include <array>

#include "solis/cli/bench/benchmarks.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

constexpr std::array kBenchmarks{
    add_bench_ablation, add_bench_clock, add_bench_data,  add_bench_depth, add_bench_encoder,
    add_bench_endings,  add_bench_label, add_bench_perft, add_bench_pgn,   add_bench_plan,
    add_bench_train,    add_bench_tune,  add_bench_uci,   add_bench_umap};

}  // namespace

void add_bench(Command& parent, Session& session) {
    Command* command = parent.add_subcommand("bench", "measure speed against peers");
    command->require_subcommand();
    for (const AddCommand add : kBenchmarks) add(*command, session);
}

}  // namespace solis::cli
