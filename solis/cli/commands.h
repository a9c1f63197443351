// The subcommands, one file each.
#pragma once
#include "solis/cli/command.h"

namespace solis::cli {

void add_analyze(Command& parent, Session& session);
void add_axis(Command& parent, Session& session);
void add_bench(Command& parent, Session& session);
void add_completion(Command& parent, Session& session);
void add_data(Command& parent, Session& session);
void add_embed(Command& parent, Session& session);
void add_explain(Command& parent, Session& session);
void add_fen(Command& parent, Session& session);
void add_label(Command& parent, Session& session);
void add_manual(Command& parent, Session& session);
void add_map(Command& parent, Session& session);
void add_match(Command& parent, Session& session);
void add_model(Command& parent, Session& session);
void add_openings(Command& parent, Session& session);
void add_paper(Command& parent, Session& session);
void add_perft(Command& parent, Session& session);
void add_pgn(Command& parent, Session& session);
void add_play(Command& parent, Session& session);
void add_rank(Command& parent, Session& session);
void add_rate(Command& parent, Session& session);
void add_serve(Command& parent, Session& session);
void add_similar(Command& parent, Session& session);
void add_space(Command& parent, Session& session);
void add_sprt(Command& parent, Session& session);
void add_suite(Command& parent, Session& session);
void add_trace(Command& parent, Session& session);
void add_train(Command& parent, Session& session);
void add_uci(Command& parent, Session& session);

}  // namespace solis::cli
