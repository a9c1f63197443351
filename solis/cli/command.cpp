// Shared pieces of the subcommands.
#include "solis/cli/command.h"

#include <nlohmann/json.hpp>

namespace solis::cli {

void add_json_flag(Command& command, bool& json) {
    command.add_flag("--json", json, "print the result as JSON");
}

void add_force_flag(Command& command, Existing& existing) {
    command.add_flag_callback(
        "--force", [&existing] { existing = Existing::Replace; }, "replace outputs that exist");
}

void print_json(Console& console, const nlohmann::ordered_json& value) {
    // Invalid UTF-8 (Latin-1 in a PGN tag, say) becomes U+FFFD instead of an exception.
    console.print("{}\n", value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace solis::cli
