// solis sprt: the sequential test of a match, from counts or from games.
#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/text.h"
#include "solis/cli/commands.h"
#include "solis/data/formats/fields.h"
#include "solis/lab/match/match_report.h"
#include "solis/lab/rating/record_results.h"
#include "solis/lab/rating/sprt.h"

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
    lab::ScoreCount counts;
    std::string player;  // empty for counts
};

Result<Match> match_of_table(const lab::ResultTable& table, const std::string& player) {
    if (table.encounters().empty()) return fail("there are no games with a result to test");
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
    return Match{games.as_match(), names[games.first]};
}

// "12,40,80,45,20" as whole numbers.
Result<std::vector<std::uint64_t>> parse_counts(const std::string& text, std::size_t fields) {
    std::vector<std::uint64_t> counts;
    std::uint64_t sum = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto count = data::parse_number<std::uint32_t>(text.substr(begin, end - begin));
        if (!count) {
            return fail(
                fmt::format("counts {}: not a list of whole numbers", solis::in_quotes(text)),
                "write them like 12,40,80,45,20");
        }
        counts.push_back(*count);
        sum += *count;
        begin = end + 1;
    }
    if (counts.size() != fields) {
        return fail(fmt::format("counts {}: {} numbers, expected {}", solis::in_quotes(text),
                                counts.size(), fields));
    }
    if (sum == 0) return fail(fmt::format("counts {}: no games", solis::in_quotes(text)));
    return counts;
}

Result<Match> read_match(const SprtOptions& options) {
    if (!options.wdl.empty()) {
        const auto wdl = parse_counts(options.wdl, 3);
        if (!wdl) return tl::unexpected(wdl.error());
        return Match{lab::count_of_games((*wdl)[0], (*wdl)[1], (*wdl)[2]), ""};
    }
    if (!options.pentanomial.empty()) {
        const auto pairs = parse_counts(options.pentanomial, 5);
        if (!pairs) return tl::unexpected(pairs.error());
        std::array<std::uint64_t, 5> counts{};
        std::copy(pairs->begin(), pairs->end(), counts.begin());
        return Match{lab::count_of_pairs(counts), ""};
    }
    const auto results = lab::read_results(std::span(&options.file, 1));
    if (!results) return tl::unexpected(results.error());
    return match_of_table(results->table, options.player);
}

bool has_pairs(const lab::ScoreCount& count) {
    return count.pairs != std::array<std::uint64_t, 5>{};
}

void print_report(Console& console, const lab::SprtTest& test, const Match& match,
                  const lab::ScoreEstimate& estimate, double ratio) {
    if (!match.player.empty()) console.print("player   {}\n", match.player);
    if (has_pairs(match.counts)) {
        console.print("pairs    {}\n", fmt::join(match.counts.pairs, " "));
    } else {
        console.print("games    {} won, {} drawn, {} lost\n", match.counts.wins, match.counts.draws,
                      match.counts.losses);
    }
    console.print("score    {:.2f} % of {} games\n", 100 * estimate.score, match.counts.games());
    console.print("Elo      {}\n", lab::elo_text(match.counts));
    if (estimate.normalised) {
        console.print("nElo     {:+.1f} ± {:.1f}\n", estimate.normalised->elo,
                      estimate.normalised->error);
    }
    console.print("LOS      {:.1f} %\n", 100 * estimate.los);
    console.print("LLR      {}\n", lab::sprt_text(test, ratio));
    console.print("decision {}\n", to_string(lab::decide(test, ratio)));
}

nlohmann::ordered_json to_json(const lab::SprtTest& test, const Match& match,
                               const lab::ScoreEstimate& estimate, double ratio) {
    nlohmann::ordered_json report{{"player", match.player},
                                  {"games", match.counts.games()},
                                  {"pairs", match.counts.pairs},
                                  {"score", estimate.score},
                                  {"elo", estimate.elo}};
    if (estimate.elo_95) report["elo_95"] = {estimate.elo_95->low, estimate.elo_95->high};
    if (estimate.normalised) {
        report["normalised_elo"] = estimate.normalised->elo;
        report["normalised_error"] = estimate.normalised->error;
    }
    report["superiority"] = estimate.los;
    report["llr"] = ratio;
    report["bounds"] = {test.lower_bound(), test.upper_bound()};
    report["decision"] = to_string(lab::decide(test, ratio));
    return report;
}

ExitCode run_sprt(const SprtOptions& options, Console& console) {
    const auto match = read_match(options);
    if (!match) return console.error(match.error());
    std::uint64_t single = 0;
    for (const std::uint64_t games : match->counts.singles) single += games;
    if (has_pairs(match->counts) && single > 0) {
        console.warn(fmt::format("{} games without a partner do not count in the test", single));
    }
    const double ratio = lab::log_likelihood_ratio(options.test, match->counts);
    const lab::ScoreEstimate estimate = lab::estimate(match->counts).value();
    if (options.json) {
        print_json(console, to_json(options.test, *match, estimate, ratio));
    } else {
        print_report(console, options.test, *match, estimate, ratio);
    }
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
                        "PGN of the match, also .zst, or its log; '-' is standard input");
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
