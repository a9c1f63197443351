// How a match stands while it is played: a progress line, and a table now and then.
#pragma once
#include <cstdint>

#include "solis/base/console.h"
#include "solis/base/progress.h"
#include "solis/lab/match/match_report.h"

namespace solis::lab {

// Counts games as they end and shows how things stand.
class LiveTable {
  public:
    // A table after every `every` games of `total`; 0: none.
    LiveTable(const MatchReport& earlier, std::uint64_t total, std::uint64_t every,
              Console& console);

    void add(const GameRecord& game);
    [[nodiscard]] const Standings& standings() const { return standings_; }

  private:
    void report_fault(const GameRecord& game);

    Standings standings_;
    std::uint64_t total_;
    std::uint64_t every_;
    Console& console_;
    Progress progress_;
};

}  // namespace solis::lab
