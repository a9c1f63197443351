// The rule for damaged stores.
#include "solis/cli/damage.h"

#include <fmt/format.h>

namespace solis::cli {

void add_skip_damaged_flag(Command& command, bool& skip_damaged) {
    command.add_flag("--skip-damaged", skip_damaged,
                     "go on without damaged blocks of a store instead of stopping there");
}

data::OnDamage on_damage(bool skip_damaged) {
    return skip_damaged ? data::OnDamage::Skip : data::OnDamage::Stop;
}

void report_damage(Console& console, const data::ImportReport& report) {
    if (report.bad_rows == 0) return;
    for (const std::string& error : report.first_errors) console.warn("skipped " + error);
    console.warn(fmt::format("{} damaged {} skipped, {} games lost", report.bad_rows,
                             report.bad_rows == 1 ? "place was" : "places were",
                             report.lost_games));
}

}  // namespace solis::cli
