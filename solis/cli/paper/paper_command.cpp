// solis paper: the paper's experiments, its numbers and ours.
#include <array>

#include "solis/cli/commands.h"
#include "solis/cli/paper/paper_commands.h"

namespace solis::cli {
namespace {

constexpr std::array kPaperCommands{add_paper_all,     add_paper_depth, add_paper_elo,
                                    add_paper_figures, add_paper_nodes, add_paper_tables};

}  // namespace

void add_paper(Command& parent, Session& session) {
    Command* command = parent.add_subcommand("paper", "the paper's experiments and its numbers");
    command->require_subcommand();
    for (const AddCommand add : kPaperCommands) add(*command, session);
}

}  // namespace solis::cli
