// From the open log to the published outcome.
#include "solis/cli/match/session.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "solis/cli/match/live_table.h"

namespace solis::cli {
namespace {

constexpr std::chrono::milliseconds kPollInterval{500};
// How long no other rank may be writing before rank 0 believes that none will.
constexpr std::chrono::seconds kRankPatience{10};

}  // namespace

MatchSession::MatchSession(const MatchCommand& command, const PreparedMatch& prepared,
                           Console& console)
    : command_(command), prepared_(prepared), console_(console) {
    for (const lab::PlayerSpec& player : prepared.setup.players) {
        report_.players.push_back(player.name);
    }
    report_.identity = prepared.identity;
    report_.paired = prepared.setup.schedule.options().paired;
}

ExitCode MatchSession::run() {
    if (auto read = read_sprt(); !read) return console_.error(read.error(), ExitCode::Usage);
    if (auto opened = open_log(); !opened) return console_.error(opened.error());
    InterruptWatch interrupt;
    const auto end = play(interrupt);
    if (!end) return console_.error(end.error());
    if (!ranks().leads()) return end->interrupted ? ExitCode::Interrupted : ExitCode::Ok;
    if (ranks().size > 1 && !end->interrupted && !end->broken_by) {
        if (auto ok = wait_for_other_ranks(interrupt); !ok) return console_.error(ok.error());
    }
    if (auto merged = merge_ranks(); !merged) return console_.error(merged.error());
    return conclude(*end);
}

ExitCode MatchSession::conclude(const lab::MatchEnd& end) {
    MatchOutput output = command_.output;
    const bool may_continue = end.broken_by || end.interrupted;
    // The same command continues and writes the files at the end; until then the log holds all.
    if (log_ && may_continue && decision_ == lab::SprtDecision::Continue) {
        output.pgn = output.html = output.report = {};
    }
    const ExitCode code = publish(output, report_, console_);
    if (end.broken_by) {
        return console_.error({"the match ended with " + *end.broken_by,
                               "--recover starts the engine again; the same command continues"});
    }
    if (decision_ != lab::SprtDecision::Continue) {
        console_.note("SPRT ended the match: {}", to_string(decision_));
        return code;
    }
    if (end.interrupted) {
        console_.note("interrupted{}", log_ ? "; the same command continues" : "");
        return ExitCode::Interrupted;
    }
    return code;
}

Result<void> MatchSession::read_sprt() {
    if (command_.sprt.empty()) return {};
    const auto test = lab::parse_sprt(command_.sprt);
    if (!test) return fail_in("--sprt", test.error());
    if (report_.players.size() != 2 || ranks().size != 1) {
        return fail("--sprt decides between two engines in one process");
    }
    sprt_ = *test;
    return {};
}

void MatchSession::test_hypotheses(const lab::Standings& standings) {
    if (!sprt_ || decision_ != lab::SprtDecision::Continue) return;
    const double ratio = lab::log_likelihood_ratio(*sprt_, standings.score(0, 1));
    decision_ = lab::decide(*sprt_, ratio);
    const bool due = command_.table_every > 0 && standings.games() % command_.table_every == 0;
    if (due || decision_ != lab::SprtDecision::Continue) {
        console_.note("LLR {}", lab::sprt_text(*sprt_, ratio));
    }
}

Result<void> MatchSession::open_log() {
    if (command_.log.empty()) {
        if (ranks().size == 1) return {};
        return fail("ranks of one match meet in its log", "give --log a file on a shared disk");
    }
    auto log = lab::GameLog::open(lab::log_of_rank(command_.log, ranks().rank), prepared_.identity);
    if (!log) return tl::unexpected(log.error());
    if (log->dropped_bytes() > 0) {
        console_.note("a game that was being written when the match was killed is played again");
    }
    log_.emplace(std::move(*log));
    if (ranks().size == 1) {
        if (auto merged = lab::absorb_rank_logs(command_.log, *log_); !merged) return merged;
    }
    auto games = lab::read_all_logs(command_.log);
    if (!games) return tl::unexpected(games.error());
    report_.games = std::move(*games);
    if (!report_.games.empty() && ranks().leads()) {
        console_.note("continuing {} after {} games", command_.log, report_.games.size());
    }
    return {};
}

Result<lab::MatchEnd> MatchSession::play(InterruptWatch& interrupt) {
    const lab::MatchSetup& setup = prepared_.setup;
    std::vector<bool> played(setup.schedule.games());
    for (const lab::GameRecord& game : report_.games) {
        if (game.number < played.size()) played[game.number] = true;
    }
    LiveTable table(report_, setup.schedule.games(), ranks().leads() ? command_.table_every : 0,
                    console_);
    lab::MatchHooks hooks;
    test_hypotheses(table.standings());
    hooks.interrupted = [&] {
        return interrupt.requested() || decision_ != lab::SprtDecision::Continue;
    };
    hooks.take = [&](const lab::GameRecord& game) -> Result<bool> {
        if (log_) {
            if (auto added = log_->add(game); !added) return tl::unexpected(added.error());
        }
        report_.games.push_back(game);
        table.add(game);
        test_hypotheses(table.standings());
        return decision_ == lab::SprtDecision::Continue;
    };
    return lab::run_match(setup, played, hooks);
}

Result<void> MatchSession::wait_for_other_ranks(InterruptWatch& interrupt) {
    const std::uint64_t total = prepared_.setup.schedule.games();
    auto last_seen = std::chrono::steady_clock::now();
    while (!interrupt.requested()) {
        const auto games = lab::read_all_logs(command_.log);
        if (!games) return tl::unexpected(games.error());
        const auto now = std::chrono::steady_clock::now();
        if (lab::other_ranks_write(command_.log)) last_seen = now;
        if (games->size() >= total && last_seen != now) return {};
        if (now - last_seen > kRankPatience) {
            console_.warn(fmt::format("{} of {} games are missing and no other rank is playing",
                                      total - std::min<std::uint64_t>(games->size(), total),
                                      total));
            return {};
        }
        std::this_thread::sleep_for(kPollInterval);
    }
    return {};
}

Result<void> MatchSession::merge_ranks() {
    if (ranks().size == 1) return {};
    if (auto merged = lab::absorb_rank_logs(command_.log, *log_); !merged) return merged;
    auto games = lab::read_all_logs(command_.log);
    if (!games) return tl::unexpected(games.error());
    report_.games = std::move(*games);
    return {};
}

}  // namespace solis::cli
