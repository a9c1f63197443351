// Where labelled games come from: every importer and the store itself are game sources.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

// What an import met. A bad row is counted and the first few are quoted; it never ends the import.
struct ImportReport {
    static constexpr std::size_t kQuoted = 10;

    std::uint64_t rows = 0;      // rows, records or games read
    std::uint64_t bad_rows = 0;  // of them skipped
    // Known to be in damaged blocks of stores that were skipped.
    std::uint64_t lost_games = 0;
    std::vector<std::string> first_errors;

    // `where` is a line, record or block, for example "line 17".
    void add_bad_row(std::string_view where, const Error& error);
    // A damaged place of a store was skipped.
    void add_damage(std::string_view file, std::string_view what, std::uint64_t games);
    // Adds what a later part of the same input met.
    void add(const ImportReport& part);
};

class GameSource {
  public:
    virtual ~GameSource() = default;
    // Replaces `game` by the next one; false at the end. An error means the input as a whole
    // cannot be read on (bad rows are in the report instead).
    [[nodiscard]] virtual Result<bool> next(LabelledGame& game) = 0;
    [[nodiscard]] virtual const ImportReport& report() const = 0;
};

}  // namespace solis::data
