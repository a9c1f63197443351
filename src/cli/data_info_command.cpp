// solis data info: what a store contains and whether it is whole.
#include <memory>

#include "cli/data_commands.h"
#include "data/store_reader.h"

namespace solis::cli {

void add_data_info(CLI::App& parent, Session&) {
    parent.add_subcommand("info", "what a store contains and whether it is whole");
}

}  // namespace solis::cli
