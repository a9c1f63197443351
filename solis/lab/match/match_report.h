// What came out of a match: as a table, as JSON and as a web page.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "solis/lab/match/game_record.h"
#include "solis/lab/match/standings.h"

namespace solis::lab {

struct MatchReport {
    std::string identity;  // of the log, JSON
    std::vector<std::string> players;
    bool paired = true;
    std::vector<GameRecord> games;  // by number
};

// "+35.2 ± 12.1"; "+511.5 (> +320)" where the interval has no upper end; "+inf".
[[nodiscard]] std::string elo_text(const ScoreCount& count);

// Lines with their ends. The second table, of endings and thinking, is for the end of a match.
[[nodiscard]] std::string score_table(const Standings& standings);
[[nodiscard]] std::string detail_table(const Standings& standings);

[[nodiscard]] Standings standings_of(const MatchReport& report);
// One JSON object.
[[nodiscard]] std::string to_json(const MatchReport& report);
// A page that needs nothing from outside.
[[nodiscard]] std::string to_html(const MatchReport& report);

}  // namespace solis::lab
