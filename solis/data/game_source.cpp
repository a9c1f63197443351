// Import bookkeeping.
#include "solis/data/game_source.h"

#include <fmt/format.h>

namespace solis::data {

void ImportReport::add_bad_row(std::string_view where, const Error& error) {
    ++bad_rows;
    if (first_errors.size() < kQuoted) {
        first_errors.push_back(fmt::format("{}: {}", where, error.message));
    }
}

void ImportReport::add_damage(std::string_view file, std::string_view what, std::uint64_t games) {
    add_bad_row(file, Error{std::string(what), {}});
    lost_games += games;
}

void ImportReport::add(const ImportReport& part) {
    rows += part.rows;
    bad_rows += part.bad_rows;
    lost_games += part.lost_games;
    for (const std::string& error : part.first_errors) {
        if (first_errors.size() < kQuoted) first_errors.push_back(error);
    }
}

}  // namespace solis::data
