// Import bookkeeping.
#include "data/game_source.h"

namespace solis::data {

void ImportReport::add_bad_row(std::string_view where, const Error& error) {
    ++bad_rows;
    if (first_errors.size() < kQuoted) {
        first_errors.push_back(fmt::format("{}: {}", where, error.message));
    }
}

}  // namespace solis::data
