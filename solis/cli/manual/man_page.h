// Manual pages, in the language of man(7).
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solis/cli/manual/outline.h"

namespace solis::cli {

struct ManPage {
    std::string name;  // "solis-data.1"
    std::string text;
};

// One page for the program and one for each of its commands, with the commands below it.
[[nodiscard]] std::vector<ManPage> man_pages(const CommandOutline& program,
                                             std::string_view version);

}  // namespace solis::cli
