// solis uci: the engine for chess GUIs.
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "solis/base/system_seed.h"
#include "solis/cli/commands.h"
#include "solis/cli/model_choice.h"
#include "solis/cli/own_program.h"
#include "solis/engine/uci/uci_loop.h"

namespace solis::cli {
namespace {

ExitCode run_uci(const std::vector<std::string>& command, const ModelChoice& choice,
                 Console& console) {
    // Only book moves and mistakes of a limited strength depend on the seed.
    engine::UciLoopSetup setup{.name = own_program().name, .seed = system_seed()};
    // The embedded model is loaded when it is needed, so that the engine starts at once.
    if (!choice.path.empty() || !choice.encoder_command.empty()) {
        auto model = open_model(choice);
        if (!model) return console.error(model.error());
        setup.model = std::move(*model);
    }
    if (!command.empty()) {
        const auto done =
            engine::run_uci_command(setup, fmt::format("{}", fmt::join(command, " ")));
        return done ? ExitCode::Ok : console.error(done.error());
    }
    // A GUI that goes away is the end of our input, not a reason to die half-way.
    std::signal(SIGPIPE, SIG_IGN);
    const auto done = engine::run_uci_loop(setup);
    return done ? ExitCode::Ok : console.error(done.error());
}

}  // namespace

void add_uci(Command& parent, Session& session) {
    Command* command = parent.add_subcommand("uci", "the engine, for chess GUIs and match runners");
    const auto words = std::make_shared<std::vector<std::string>>();
    command->add_option(
        "command", *words,
        "one command to carry out instead of a dialogue, e.g. bench, or go perft 5");
    const auto choice = std::make_shared<ModelChoice>();
    add_model_options(*command, *choice);
    command->callback([words, choice, &session] {
        session.exit_code = run_uci(*words, *choice, session.console);
    });
}

}  // namespace solis::cli
