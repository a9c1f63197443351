// solis match: engines play each other; the outcome with error bars.
#include <algorithm>
#include <memory>
#include <thread>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/match_options.h"
#include "lab/match/game_log.h"
#include "lab/match/match_pgn.h"
#include "lab/match/match_report.h"
#include "lab/rating/sprt.h"

namespace solis::cli {
namespace {

constexpr std::chrono::milliseconds kPollInterval{500};
// How long no other rank may be writing before rank 0 believes that none will.
constexpr std::chrono::seconds kRankPatience{10};

struct MatchCommand {
    MatchFlags flags;
    std::string log;
    std::string pgn;
    std::string html;
    std::string report;
    std::string sprt;
    std::uint64_t table_every = 20;
    bool json = false;
};

// Counts games as they end and shows how things stand.
class LiveTable {
  public:
    LiveTable(const lab::MatchReport& earlier, std::uint64_t total, std::uint64_t every,
              Console& console)
        : standings_(lab::standings_of(earlier)),
          total_(total),
          every_(every),
          console_(console),
          progress_(console, "match", total, "games") {
        progress_.update(standings_.games());
    }

    void add(const lab::GameRecord& game) {
        standings_.add(game);
        if (game.at_fault) report_fault(game);
        const std::uint64_t games = standings_.games();
        if (every_ > 0 && games % every_ == 0 && games < total_) {
            progress_.clear();
            console_.note("{}", lab::score_table(standings_));
        }
        const std::string& first = standings_.players()[0];
        progress_.update(standings_.games(),
                         fmt::format("{} {}", first, lab::elo_text(standings_.score(0))));
    }

    void clear() { progress_.clear(); }
    [[nodiscard]] const lab::Standings& standings() const { return standings_; }

  private:
    void report_fault(const lab::GameRecord& game) {
        progress_.clear();
        const bool white = *game.at_fault == chess::Color::White;
        console_.note("game {}: {} of {}: {}", game.number + 1, lab::name_of(game.ending),
                      white ? game.white : game.black, game.note);
    }

    lab::Standings standings_;
    std::uint64_t total_;
    std::uint64_t every_;
    Console& console_;
    Progress progress_;
};

void sort_by_number(std::vector<lab::GameRecord>& games) {
    std::sort(games.begin(), games.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
}

// Writes what was asked for.
ExitCode publish(const MatchCommand& command, lab::MatchReport& report, Console& console) {
    sort_by_number(report.games);
    const auto write = [&](const std::string& path, const std::string& text) {
        if (path.empty()) return true;
        const auto written = write_file_atomically(path, text);
        if (!written) (void)console.error(written.error());
        return written.has_value();
    };
    std::string pgn;
    if (!command.pgn.empty()) {
        for (const lab::GameRecord& game : report.games) lab::append_pgn(pgn, game, {});
    }
    const std::string json = lab::to_json(report) + "\n";
    bool ok = write(command.pgn, pgn);
    if (!command.html.empty()) ok = write(command.html, lab::to_html(report)) && ok;
    ok = write(command.report, json) && ok;
    const lab::Standings standings = lab::standings_of(report);
    if (command.json) {
        console.print("{}", json);
    } else {
        console.print("{}\n{}", lab::score_table(standings), lab::detail_table(standings));
    }
    return ok ? ExitCode::Ok : ExitCode::Failed;
}

// Rank 0 ends the match for all: when the others have played their games, or have gone.
Result<void> wait_for_other_ranks(const MatchCommand& command, std::uint64_t total,
                                  InterruptWatch& interrupt, Console& console) {
    auto last_seen = std::chrono::steady_clock::now();
    while (!interrupt.requested()) {
        const auto games = lab::read_all_logs(command.log);
        if (!games) return tl::unexpected(games.error());
        const auto now = std::chrono::steady_clock::now();
        if (lab::other_ranks_write(command.log)) last_seen = now;
        if (games->size() >= total && last_seen != now) return {};
        if (now - last_seen > kRankPatience) {
            console.warn(fmt::format("{} of {} games are missing and no other rank is playing",
                                     total - std::min<std::uint64_t>(games->size(), total), total));
            return {};
        }
        std::this_thread::sleep_for(kPollInterval);
    }
    return {};
}

// A match with everything it needs while it runs.
class MatchSession {
  public:
    MatchSession(const MatchCommand& command, const PreparedMatch& prepared, Console& console)
        : command_(command), prepared_(prepared), console_(console) {
        for (const lab::PlayerSpec& player : prepared.setup.players) {
            report_.players.push_back(player.name);
        }
        report_.identity = prepared.identity;
        report_.paired = prepared.setup.schedule.options().paired;
    }

    ExitCode run() {
        if (auto read = read_sprt(); !read) return console_.error(read.error(), ExitCode::Usage);
        if (auto opened = open_log(); !opened) return console_.error(opened.error());
        InterruptWatch interrupt;
        const auto end = play(interrupt);
        if (!end) return console_.error(end.error());
        if (!ranks().leads()) return end->interrupted ? ExitCode::Interrupted : ExitCode::Ok;
        if (ranks().size > 1 && !end->interrupted && !end->broken_by) {
            const auto total = prepared_.setup.schedule.games();
            if (auto ok = wait_for_other_ranks(command_, total, interrupt, console_); !ok) {
                return console_.error(ok.error());
            }
        }
        if (auto merged = merge_ranks(); !merged) return console_.error(merged.error());
        const ExitCode code = publish(command_, report_, console_);
        if (end->broken_by) {
            return console_.error(
                {"the match ended with " + *end->broken_by,
                 "--recover starts the engine again; the same command continues"});
        }
        if (decision_ != lab::SprtDecision::Continue) {
            console_.note("SPRT ended the match: {}", to_string(decision_));
            return code;
        }
        if (end->interrupted) {
            console_.note("interrupted{}", log_ ? "; the same command continues" : "");
            return ExitCode::Interrupted;
        }
        return code;
    }

  private:
    [[nodiscard]] const lab::Ranks& ranks() const { return prepared_.setup.ranks; }

    Result<void> read_sprt() {
        if (command_.sprt.empty()) return {};
        const auto test = lab::parse_sprt(command_.sprt);
        if (!test) return fail_in("--sprt", test.error());
        if (report_.players.size() != 2 || ranks().size != 1) {
            return fail("--sprt decides between two engines in one process");
        }
        sprt_ = *test;
        return {};
    }

    // Ends the match where its result so far is enough.
    void test_hypotheses(const lab::Standings& standings) {
        if (!sprt_ || decision_ != lab::SprtDecision::Continue) return;
        const double ratio = lab::log_likelihood_ratio(*sprt_, standings.score(0, 1));
        decision_ = lab::decide(*sprt_, ratio);
        const bool due = command_.table_every > 0 && standings.games() % command_.table_every == 0;
        if (due || decision_ != lab::SprtDecision::Continue) {
            console_.note("LLR {}", lab::sprt_text(*sprt_, ratio));
        }
    }

    Result<void> open_log() {
        if (command_.log.empty()) {
            if (ranks().size == 1) return {};
            return fail("ranks of one match meet in its log", "give --log a file on a shared disk");
        }
        auto log =
            lab::GameLog::open(lab::log_of_rank(command_.log, ranks().rank), prepared_.identity);
        if (!log) return tl::unexpected(log.error());
        if (log->dropped_bytes() > 0) {
            console_.note(
                "a game that was being written when the match was killed is played again");
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

    Result<lab::MatchEnd> play(InterruptWatch& interrupt) {
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

    Result<void> merge_ranks() {
        if (ranks().size == 1) return {};
        if (auto merged = lab::absorb_rank_logs(command_.log, *log_); !merged) return merged;
        auto games = lab::read_all_logs(command_.log);
        if (!games) return tl::unexpected(games.error());
        report_.games = std::move(*games);
        return {};
    }

    const MatchCommand& command_;
    const PreparedMatch& prepared_;
    Console& console_;
    std::optional<lab::GameLog> log_;
    lab::MatchReport report_;
    std::optional<lab::SprtTest> sprt_;
    lab::SprtDecision decision_ = lab::SprtDecision::Continue;
};

// Without engines: what a log says.
ExitCode report_log(const MatchCommand& command, Console& console) {
    const auto content = lab::read_game_log(command.log);
    if (!content) return console.error(content.error());
    const auto identity = nlohmann::ordered_json::parse(content->identity, nullptr, false);
    lab::MatchReport report;
    report.identity = content->identity;
    if (identity.is_object() && identity.contains("players") && identity["players"].is_array()) {
        for (const auto& name : identity["players"]) {
            if (name.is_string()) report.players.push_back(name.get<std::string>());
        }
        report.paired = identity.value("paired", nlohmann::ordered_json()) == true;
    }
    if (report.players.size() < 2) {
        return console.error({fmt::format("'{}' is not the log of a match", command.log), {}});
    }
    auto games = lab::read_all_logs(command.log);
    if (!games) return console.error(games.error());
    report.games = std::move(*games);
    return publish(command, report, console);
}

ExitCode run_match_command(const MatchCommand& command, Console& console) {
    if (command.flags.engines.empty()) {
        if (!command.log.empty()) return report_log(command, console);
        return console.error({"a match needs two engines",
                              "for example --engine solis --engine stockfish --each tc=10+0.1; "
                              "--log alone reports on a match"},
                             ExitCode::Usage);
    }
    const auto prepared = prepare_match(command.flags);
    if (!prepared) return console.error(prepared.error());
    return MatchSession(command, *prepared, console).run();
}

}  // namespace

void add_match(Command& parent, Session& session) {
    const auto options = std::make_shared<MatchCommand>();
    Command* command = parent.add_subcommand(
        "match", "engines play each other: Elo with error bars; continues an interrupted match");
    add_match_flags(*command, options->flags);
    command->add_option("--log", options->log,
                        "every finished game; the same command continues it. Without --engine: "
                        "report on it");
    command->add_option("--sprt", options->sprt,
                        "stop when a hypothesis is accepted: elo0=0,elo1=5,alpha=0.05,beta=0.05,"
                        "model=normalised (or logistic); --games is then the most");
    command->add_option("--pgn", options->pgn, "write the games here at the end");
    command->add_option("--html", options->html, "write a report with plots here at the end");
    command->add_option("--report", options->report, "write the JSON report here at the end");
    command
        ->add_option("--table-every", options->table_every,
                     "games between tables on stderr; 0: none")
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_match_command(*options, session.console); });
}

}  // namespace solis::cli
