// solis data: everything about stores of labelled games.
#include <array>

#include "cli/commands.h"
#include "cli/data_commands.h"

namespace solis::cli {
namespace {

constexpr std::array kSubcommands{add_data_export, add_data_import, add_data_info};

}  // namespace

void add_data(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("data", "make and inspect stores of labelled games");
    command->require_subcommand(1);
    for (const AddCommand add : kSubcommands) add(*command, session);
}

}  // namespace solis::cli
