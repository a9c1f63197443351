// solis uci: the engine for chess GUIs.
#include <csignal>

#include "base/system_seed.h"
#include "cli/commands.h"
#include "cli/own_program.h"
#include "engine/uci_loop.h"

namespace solis::cli {
namespace {

ExitCode run_uci() {
    // A GUI that goes away is the end of our input, not a reason to die half-way.
    std::signal(SIGPIPE, SIG_IGN);
    // Only book moves and mistakes of a limited strength depend on the seed.
    engine::run_uci_loop({.name = own_program().name, .seed = system_seed()});
    return ExitCode::Ok;
}

}  // namespace

void add_uci(Command& parent, Session& session) {
    Command* command = parent.add_subcommand("uci", "the engine, for chess GUIs and match runners");
    command->callback([&session] { session.exit_code = run_uci(); });
}

}  // namespace solis::cli
