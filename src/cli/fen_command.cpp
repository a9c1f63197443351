// solis fen: checks positions and shows what follows from them.
#include <memory>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "cli/commands.h"

namespace solis::cli {
namespace {

ExitCode run_fen(const std::vector<std::string>& fens, Console& console) {
    ExitCode code = ExitCode::Ok;
    for (const std::string& text : fens) {
        const auto position = chess::parse_fen(text);
        if (!position) {
            code = console.error(position.error());
            continue;
        }
        console.print("{}\n", chess::to_fen(*position));
    }
    return code;
}

}  // namespace

void add_fen(CLI::App& parent, Session& session) {
    const auto fens = std::make_shared<std::vector<std::string>>();
    CLI::App* command = parent.add_subcommand("fen", "check positions and print them normalised");
    command->add_option("fen", *fens, "positions, each as one argument")->required();
    command->callback([fens, &session] { session.exit_code = run_fen(*fens, session.console); });
}

}  // namespace solis::cli
