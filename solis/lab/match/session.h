// One run of a match: its log, its games, the sequential test that may end it, other ranks.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "solis/base/console.h"
#include "solis/base/interrupt.h"
#include "solis/lab/match/game_log.h"
#include "solis/lab/match/match_report.h"
#include "solis/lab/match/match_runner.h"
#include "solis/lab/rating/sprt.h"

namespace solis::lab {

struct SessionOptions {
    std::string log;  // file that takes every finished game; empty: none
    std::optional<SprtTest> sprt;
    std::uint64_t table_every = 20;  // games between tables on stderr; 0: none
};

struct SessionEnd {
    MatchEnd match;
    SprtDecision decision = SprtDecision::Continue;
};

class MatchSession {
  public:
    // `identity` is JSON text of all that decides what is played and how it is judged: a log is
    // only continued by its like. `setup` and `console` must outlive this.
    MatchSession(SessionOptions options, const MatchSetup& setup, const std::string& identity,
                 Console& console);

    // Plays what is missing, until `interrupt` comes.
    [[nodiscard]] Result<SessionEnd> run(InterruptWatch& interrupt);
    // All games so far, those of earlier runs included.
    [[nodiscard]] MatchReport& report() { return report_; }

  private:
    [[nodiscard]] const Ranks& ranks() const { return setup_.ranks; }
    [[nodiscard]] Result<void> open_log();
    [[nodiscard]] Result<MatchEnd> play(InterruptWatch& interrupt);
    // Ends the match where its result so far is enough.
    void test_hypotheses(const Standings& standings);
    // Rank 0 ends the match for all: when the others have played their games, or have gone.
    [[nodiscard]] Result<void> wait_for_other_ranks(InterruptWatch& interrupt);
    [[nodiscard]] Result<void> merge_ranks();

    SessionOptions options_;
    const MatchSetup& setup_;
    Console& console_;
    std::optional<GameLog> log_;
    MatchReport report_;
    SprtDecision decision_ = SprtDecision::Continue;
};

// The match of a log, games of all ranks included.
[[nodiscard]] Result<MatchReport> read_match(const std::string& log);

}  // namespace solis::lab
