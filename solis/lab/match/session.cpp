// From the open log to the published outcome.
#include "solis/lab/match/session.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/lab/match/live_table.h"
#include "solis/lab/shallow_json.h"

namespace solis::lab {
namespace {

constexpr std::chrono::milliseconds kPollInterval{500};
// How long no other rank may be writing before rank 0 believes that none will.
constexpr std::chrono::seconds kRankPatience{10};

}  // namespace

MatchSession::MatchSession(SessionOptions options, const MatchSetup& setup,
                           const std::string& identity, Console& console)
    : options_(std::move(options)), setup_(setup), console_(console) {
    for (const PlayerSpec& player : setup.players) report_.players.push_back(player.name);
    report_.identity = identity;
    report_.paired = setup.schedule.options().paired;
}

Result<SessionEnd> MatchSession::run(InterruptWatch& interrupt) {
    if (auto opened = open_log(); !opened) return tl::unexpected(opened.error());
    const auto end = play(interrupt);
    if (!end) return tl::unexpected(end.error());
    if (!ranks().leads()) return SessionEnd{*end, decision_};
    if (ranks().size > 1 && !end->interrupted && !end->broken_by) {
        if (auto ok = wait_for_other_ranks(interrupt); !ok) return tl::unexpected(ok.error());
    }
    if (auto merged = merge_ranks(); !merged) return tl::unexpected(merged.error());
    return SessionEnd{*end, decision_};
}

void MatchSession::test_hypotheses(const Standings& standings) {
    if (!options_.sprt || decision_ != SprtDecision::Continue) return;
    const double ratio = log_likelihood_ratio(*options_.sprt, standings.score(0, 1));
    decision_ = decide(*options_.sprt, ratio);
    const bool due = options_.table_every > 0 && standings.games() % options_.table_every == 0;
    if (due || decision_ != SprtDecision::Continue) {
        console_.note("LLR {}", sprt_text(*options_.sprt, ratio));
    }
}

Result<void> MatchSession::open_log() {
    if (options_.log.empty()) {
        if (ranks().size == 1) return {};
        return fail("ranks of one match meet in its log", "give --log a file on a shared disk");
    }
    auto log = GameLog::open(log_of_rank(options_.log, ranks().rank), report_.identity);
    if (!log) return tl::unexpected(log.error());
    if (log->dropped_bytes() > 0) {
        console_.note("a game that was being written when the match was killed is played again");
    }
    log_.emplace(std::move(*log));
    if (ranks().size == 1) {
        if (auto merged = absorb_rank_logs(options_.log, *log_); !merged) return merged;
    }
    auto games = read_all_logs(options_.log);
    if (!games) return tl::unexpected(games.error());
    report_.games = std::move(*games);
    if (!report_.games.empty() && ranks().leads()) {
        console_.note("continuing {} after {} games", options_.log, report_.games.size());
    }
    return {};
}

Result<MatchEnd> MatchSession::play(InterruptWatch& interrupt) {
    std::vector<bool> played(setup_.schedule.games());
    for (const GameRecord& game : report_.games) {
        if (game.number < played.size()) played[game.number] = true;
    }
    LiveTable table(report_, setup_.schedule.games(), ranks().leads() ? options_.table_every : 0,
                    console_);
    MatchHooks hooks;
    test_hypotheses(table.standings());
    hooks.interrupted = [&] {
        return interrupt.requested() || decision_ != SprtDecision::Continue;
    };
    hooks.take = [&](const GameRecord& game) -> Result<bool> {
        if (log_) {
            if (auto added = log_->add(game); !added) return tl::unexpected(added.error());
        }
        report_.games.push_back(game);
        table.add(game);
        test_hypotheses(table.standings());
        return decision_ == SprtDecision::Continue;
    };
    return run_match(setup_, played, hooks);
}

Result<void> MatchSession::wait_for_other_ranks(InterruptWatch& interrupt) {
    const std::uint64_t total = setup_.schedule.games();
    auto last_seen = std::chrono::steady_clock::now();
    while (!interrupt.requested()) {
        const auto games = read_all_logs(options_.log);
        if (!games) return tl::unexpected(games.error());
        const auto now = std::chrono::steady_clock::now();
        if (other_ranks_write(options_.log)) last_seen = now;
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
    if (auto merged = absorb_rank_logs(options_.log, *log_); !merged) return merged;
    auto games = read_all_logs(options_.log);
    if (!games) return tl::unexpected(games.error());
    report_.games = std::move(*games);
    return {};
}

Result<MatchReport> read_match(const std::string& log) {
    const auto content = read_game_log(log);
    if (!content) return tl::unexpected(content.error());
    const auto identity = parse_shallow_json(content->identity);
    MatchReport report;
    report.identity = content->identity;
    if (identity.is_object() && identity.contains("players") && identity["players"].is_array()) {
        for (const auto& name : identity["players"]) {
            if (name.is_string()) report.players.push_back(name.get<std::string>());
        }
        report.paired = identity.value("paired", nlohmann::ordered_json()) == true;
    }
    if (report.players.size() < 2) return fail(fmt::format("'{}' is not the log of a match", log));
    auto games = read_all_logs(log);
    if (!games) return tl::unexpected(games.error());
    report.games = std::move(*games);
    return report;
}

}  // namespace solis::lab
