// solis sprt: the sequential test of a match, from counts or from games.
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/byte_source.h"
#include "cli/commands.h"
#include "lab/rating/pgn_results.h"
#include "lab/rating/sprt.h"

namespace solis::cli {
namespace {

struct SprtOptions {
    std::string file;
    std::string pentanomial;
    std::string wdl;
    std::string player;
    std::string model = "normalised";
    lab::SprtTest test;
    bool json = false;
};

// What the test looks at: pairs of games where there are some, single games otherwise.
struct Match {
    lab::ScoreCounts counts;
    std::string player;  // empty for counts
    double ignored = 0;  // games outside pairs
};

Result<Match> match_of_table(const lab::ResultTable& table, const std::string& player) {
    if (table.encounters().size() != 1) {
        return fail(
            fmt::format("the games are those of {} players and {} encounters, the test is "
                        "about two players",
                        table.names().size(), table.encounters().size()));
    }
    lab::Encounter games = table.encounters()[0];
    const auto& names = table.names();
    if (!player.empty() && player != names[0] && player != names[1]) {
        return fail(fmt::format("no games of '{}'", player),
                    fmt::format("the players are '{}' and '{}'", names[0], names[1]));
    }
    if (player == names[games.second]) games = games.seen_from_the_other_side();
    if (games.pair_count() == 0) {
        return Match{lab::ScoreCounts::of_games(games.all()), names[games.first], 0};
    }
    return Match{lab::ScoreCounts::of_pairs(games), names[games.first],
                 games.all().games() - 2 * games.pair_count()};
}

// Wins, draws, losses on the command line; inside, counts rise with the score.
Result<Match> match_of_wdl(const std::string& text) {
    const auto counts = lab::ScoreCounts::parse(text, 3);
    if (!counts) return tl::unexpected(counts.error());
    const auto given = counts->counts();
    return Match{lab::ScoreCounts::of_games({{given[2], given[1], given[0]}}), "", 0};
}

Result<Match> read_match(const SprtOptions& options) {
    if (!options.wdl.empty()) return match_of_wdl(options.wdl);
    if (!options.pentanomial.empty()) {
        const auto counts = lab::ScoreCounts::parse(options.pentanomial, 5);
        if (!counts) return tl::unexpected(counts.error());
        return Match{*counts, "", 0};
    }
    const auto source = open_source(options.file);
    if (!source) return tl::unexpected(source.error());
    const auto results = lab::read_pgn_results(**source);
    if (!results) return tl::unexpected(results.error());
    return match_of_table(results->table, options.player);
}

nlohmann::ordered_json to_json(const lab::Estimate& estimate) {
    return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

void print_report(Console& console, const lab::SprtTest& test, const Match& match, double ratio) {
    const lab::MatchEstimate estimate = lab::estimate_match(match.counts);
    const bool pairs = match.counts.counts().size() == 5;
    if (!match.player.empty()) console.print("player   {}\n", match.player);
    console.print("{}  {:.0f}\n", pairs ? "pairs  " : "games  ",
                  fmt::join(match.counts.counts(), " "));
    console.print("score    {:.2f} % of {:.0f} games\n", 100 * estimate.score,
                  match.counts.games());
    console.print("Elo      {:.1f} +- {:.1f} (95 %)\n", estimate.elo.value,
                  estimate.elo.half_width());
    console.print("nElo     {:.1f} +- {:.1f}\n", estimate.normalised_elo.value,
                  estimate.normalised_elo.half_width());
    console.print("LOS      {:.1f} %\n", 100 * estimate.superiority);
    console.print("LLR      {:.2f} in ({:.2f}, {:.2f}) for [{}, {}] {} Elo\n", ratio,
                  test.lower_bound(), test.upper_bound(), test.elo0, test.elo1,
                  test.kind == lab::EloKind::Logistic ? "logistic" : "normalised");
    console.print("decision {}\n", to_string(lab::decide(test, ratio)));
}

ExitCode run_sprt(const SprtOptions& options, Console& console) {
    const auto match = read_match(options);
    if (!match) return console.error(match.error());
    if (match->ignored > 0) {
        console.warn(fmt::format("{:.0f} games without a partner are left out", match->ignored));
    }
    const double ratio = lab::log_likelihood_ratio(options.test, match->counts);
    if (!options.json) {
        print_report(console, options.test, *match, ratio);
        return ExitCode::Ok;
    }
    const lab::MatchEstimate estimate = lab::estimate_match(match->counts);
    print_json(console, {{"player", match->player},
                         {"counts", match->counts.counts()},
                         {"games", match->counts.games()},
                         {"score", estimate.score},
                         {"elo", to_json(estimate.elo)},
                         {"normalised_elo", to_json(estimate.normalised_elo)},
                         {"superiority", estimate.superiority},
                         {"llr", ratio},
                         {"bounds", {options.test.lower_bound(), options.test.upper_bound()}},
                         {"decision", to_string(lab::decide(options.test, ratio))}});
    return ExitCode::Ok;
}

void settle(SprtOptions& options) {
    const int sources = !options.file.empty() + !options.pentanomial.empty() + !options.wdl.empty();
    if (sources != 1) usage_error("file", "give one of: a file, --pentanomial, --wdl");
    options.test.kind =
        options.model == "logistic" ? lab::EloKind::Logistic : lab::EloKind::Normalised;
    if (const auto ok = lab::check_sprt(options.test); !ok) {
        usage_error("--elo0", ok.error().message);
    }
}

}  // namespace

void add_sprt(Command& parent, Session& session) {
    const auto options = std::make_shared<SprtOptions>();
    Command* command =
        parent.add_subcommand("sprt", "sequential test: has a match shown enough to stop?");
    command->add_option("file", options->file,
                        "PGN of the match, also .zst; '-' is standard input");
    command->add_option("--pentanomial", options->pentanomial,
                        "instead: pairs with 0, 1/2, 1, 3/2, 2 points, as 12,40,80,45,20");
    command->add_option("--wdl", options->wdl, "instead: wins, draws, losses, as 100,250,90");
    command->add_option("--player", options->player, "whose strength is tested; else the first");
    command->add_option("--elo0", options->test.elo0, "lower hypothesis")->capture_default_str();
    command->add_option("--elo1", options->test.elo1, "upper hypothesis")->capture_default_str();
    command->add_option("--alpha", options->test.alpha, "risk to accept elo1 wrongly")
        ->capture_default_str();
    command->add_option("--beta", options->test.beta, "risk to accept elo0 wrongly")
        ->capture_default_str();
    command->add_option("--model", options->model, "what the hypotheses are measured in")
        ->one_of({"normalised", "logistic"})
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->parse_complete_callback([options] { settle(*options); });
    command->callback(
        [options, &session] { session.exit_code = run_sprt(*options, session.console); });
}

}  // namespace solis::cli
