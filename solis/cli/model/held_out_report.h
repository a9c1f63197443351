// Figures of held-out positions, for people.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "solis/base/console.h"
#include "solis/train/held_out_figures.h"

namespace solis::cli {

// One line per figure; those of too few positions are marked.
void print_held_out(const train::ValidationReport& report, Console& console);
// Adds every figure to an object.
void add_held_out(const train::ValidationReport& report, nlohmann::ordered_json& object);

}  // namespace solis::cli
