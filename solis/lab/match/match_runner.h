// Plays the games of a schedule that have not been played yet, several at once.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/tablebase.h"
#include "solis/engine/client/uci_client.h"
#include "solis/lab/match/adjudication.h"
#include "solis/lab/match/game_record.h"
#include "solis/lab/match/openings.h"
#include "solis/lab/match/ranks.h"
#include "solis/lab/match/schedule.h"
#include "solis/lab/match/seat.h"
#include "solis/lab/player_spec.h"

namespace solis::lab {

struct MatchSetup {
    std::vector<PlayerSpec> players;
    std::vector<engine::EngineSpec> engines;  // of the players
    Schedule schedule{ScheduleOptions{}};
    OpeningSet openings;
    AdjudicationOptions adjudication;
    const chess::Tablebase* tablebase = nullptr;
    TimeRules times;
    int concurrency = 1;
    // Go on after an engine crashed, hung or talked garbage; otherwise the match ends with it.
    bool recover = false;
    Ranks ranks;
};

struct MatchHooks {
    // Takes the games as they end, one at a time; false: enough. Games that have ended by then are
    // still handed over.
    std::function<Result<bool>(const GameRecord&)> take;
    // Asked several times a second; true ends the match. Unfinished games are dropped.
    std::function<bool()> interrupted = [] { return false; };
};

struct MatchEnd {
    bool interrupted = false;
    // The fault that ended the match, without `recover`.
    std::optional<std::string> broken_by;
};

// `played[n]` says that game n is done; it may be shorter than the schedule. All hooks are called
// from the calling thread.
[[nodiscard]] Result<MatchEnd> run_match(const MatchSetup& setup, const std::vector<bool>& played,
                                         const MatchHooks& hooks);

}  // namespace solis::lab
