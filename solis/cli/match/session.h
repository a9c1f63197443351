// One run of a match: its log, its games, the sequential test that may end it, other ranks.
#pragma once
#include <optional>
#include <string>

#include "solis/base/interrupt.h"
#include "solis/cli/match/options.h"
#include "solis/cli/match/output.h"
#include "solis/lab/match/game_log.h"
#include "solis/lab/rating/sprt.h"

namespace solis::cli {

struct MatchCommand {
    MatchFlags flags;
    MatchOutput output;
    std::string log;
    std::string sprt;
    std::uint64_t table_every = 20;
};

class MatchSession {
  public:
    // All must outlive this.
    MatchSession(const MatchCommand& command, const PreparedMatch& prepared, Console& console);

    // Plays what is missing and publishes the outcome.
    [[nodiscard]] ExitCode run();

  private:
    [[nodiscard]] const lab::Ranks& ranks() const { return prepared_.setup.ranks; }
    [[nodiscard]] Result<void> read_sprt();
    [[nodiscard]] Result<void> open_log();
    [[nodiscard]] Result<lab::MatchEnd> play(InterruptWatch& interrupt);
    // Ends the match where its result so far is enough.
    void test_hypotheses(const lab::Standings& standings);
    // Rank 0 ends the match for all: when the others have played their games, or have gone.
    [[nodiscard]] Result<void> wait_for_other_ranks(InterruptWatch& interrupt);
    [[nodiscard]] Result<void> merge_ranks();
    [[nodiscard]] ExitCode conclude(const lab::MatchEnd& end);

    const MatchCommand& command_;
    const PreparedMatch& prepared_;
    Console& console_;
    std::optional<lab::GameLog> log_;
    lab::MatchReport report_;
    std::optional<lab::SprtTest> sprt_;
    lab::SprtDecision decision_ = lab::SprtDecision::Continue;
};

}  // namespace solis::cli
