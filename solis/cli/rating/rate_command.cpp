// solis rate: ratings of the players of PGN files and matches, with how far they can be trusted.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/text.h"
#include "solis/cli/commands.h"
#include "solis/cli/rating/chi_square_json.h"
#include "solis/lab/rating/distributions.h"
#include "solis/lab/rating/record_results.h"
#include "solis/lab/rating/simulated_fit.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;

struct RateOptions {
    std::vector<std::string> files;
    std::vector<std::string> anchors;
    lab::RatingOptions rating;
    double confidence = 0.95;
    bool los = false;
    bool json = false;
};

struct Row {
    std::size_t player;
    lab::Tally total;
    double opponents;  // mean rating of the opponents, by games
};

// "name=1500"; the name may contain '='.
Result<lab::Anchor> parse_anchor(const std::string& text, const lab::ResultTable& table) {
    const std::size_t equals = text.rfind('=');
    const std::string hint = "write it as --anchor \"Stockfish 1500=1500\"";
    if (equals == std::string::npos)
        return fail("anchor " + solis::in_quotes(text) + " has no '='", hint);
    const std::string name = text.substr(0, equals), number = text.substr(equals + 1);
    char* end = nullptr;
    const double elo = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0' || !(std::abs(elo) <= 10'000)) {
        return fail("anchor " + solis::in_quotes(text) + ": the rating is no number up to 10000",
                    hint);
    }
    const auto& names = table.names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return fail("anchor " + solis::in_quotes(name) + " played no game");
    return lab::Anchor{static_cast<std::size_t>(found - names.begin()), elo};
}

Result<std::vector<lab::Anchor>> parse_anchors(const std::vector<std::string>& texts,
                                               const lab::ResultTable& table) {
    std::vector<lab::Anchor> anchors;
    for (const std::string& text : texts) {
        const auto anchor = parse_anchor(text, table);
        if (!anchor) return tl::unexpected(anchor.error());
        const auto is_same = [&](const lab::Anchor& other) {
            return other.player == anchor->player;
        };
        if (std::any_of(anchors.begin(), anchors.end(), is_same)) {
            return fail("anchor " + solis::in_quotes(text) + ": this player has a rating already");
        }
        anchors.push_back(*anchor);
    }
    return anchors;
}

Result<lab::PgnResults> read_results(const RateOptions& options, Console& console) {
    auto results = lab::read_results(options.files);
    if (!results) return tl::unexpected(results.error());
    for (const std::string& message : results->broken) console.warn(message);
    if (results->broken_count > results->broken.size()) {
        console.warn(fmt::format("{} more games are broken",
                                 results->broken_count - results->broken.size()));
    }
    const std::uint64_t left_out = results->unfinished + results->self_play + results->unnamed;
    if (left_out > 0) {
        console.note(
            "{} of {} games left out: {} without result, {} without a player's name, {} "
            "against itself",
            left_out, results->games, results->unfinished, results->unnamed, results->self_play);
    }
    return results;
}

// The players from the strongest to the weakest.
std::vector<Row> rows_of(const lab::ResultTable& table, const lab::Ratings& ratings) {
    std::vector<Row> rows;
    for (std::size_t player = 0; player < table.names().size(); ++player) {
        Row row{player, {}, 0};
        for (const lab::Encounter& games : table.encounters_of(player)) {
            row.total += games.all();
            row.opponents += games.all().games() * ratings.elo[games.second];
        }
        row.opponents /= row.total.games();
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
        return ratings.elo[a.player] > ratings.elo[b.player];
    });
    return rows;
}

void print_table(Console& console, const RateOptions& options, const lab::ResultTable& table,
                 const lab::Ratings& ratings, const std::vector<Row>& rows) {
    const double width = lab::interval_width(options.confidence);
    std::size_t longest = 6;
    for (const std::string& name : table.names()) longest = std::max(longest, name.size());
    console.print("rank  {:<{}}    Elo  +-model  +-pairs  games  score  draws  opponents\n",
                  "player", longest);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const auto error = [&](lab::ErrorSource source) {
            return ratings.anchored[row.player]
                       ? std::string("anchor")
                       : fmt::format("{:.1f}", width * ratings.standard_error(row.player, source));
        };
        console.print(
            "{:>4}  {:<{}} {:>6.1f}  {:>7}  {:>7}  {:>5.0f}  {:>4.1f}%  {:>4.1f}%  "
            "{:>9.1f}\n",
            i + 1, table.names()[row.player], longest, ratings.elo[row.player],
            error(lab::ErrorSource::Model), error(lab::ErrorSource::Pairs), row.total.games(),
            100 * row.total.points() / row.total.games(),
            100 * row.total.draws() / row.total.games(), row.opponents);
    }
}

void print_superiority(Console& console, const lab::ResultTable& table, const lab::Ratings& ratings,
                       const std::vector<Row>& rows) {
    console.print("\nlikelihood of superiority in percent (row over column, errors from pairs)\n");
    std::size_t longest = 0;
    for (const std::string& name : table.names()) longest = std::max(longest, name.size());
    console.print("{:<{}}", "", longest + 6);
    for (std::size_t i = 0; i < rows.size(); ++i) console.print(" {:>4}", i + 1);
    console.print("\n");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        console.print("{:>4}  {:<{}}", i + 1, table.names()[rows[i].player], longest);
        for (std::size_t j = 0; j < rows.size(); ++j) {
            console.print(" {:>4}",
                          i == j ? "-"
                                 : fmt::format("{:.0f}", 100 * ratings.superiority(
                                                                   rows[i].player, rows[j].player,
                                                                   lab::ErrorSource::Pairs)));
        }
        console.print("\n");
    }
}

void print_fit(Console& console, const lab::ResultTable& table, const lab::Ratings& ratings,
               const lab::GoodnessOfFit& fit) {
    console.print("\nmodel: advantage of White {:.1f}, drawelo {:.1f}\n", ratings.model.advantage,
                  ratings.model.draw_elo);
    if (fit.results.df > 0) {
        console.print("fit: chi-square {:.1f} on {:.0f} degrees of freedom, p = {:.2g}{}\n",
                      fit.results.value, fit.results.df, fit.results.p(),
                      fit.results.simulated_p ? " (simulated)" : "");
    }
    for (const lab::LadderFit& ladder : fit.ladders) {
        console.print(
            "ladder of {}: {:.1f} +- {:.1f} points per 100 Elo of the opponent, the "
            "model expects {:.1f}\n",
            table.names()[ladder.player], ladder.slope, ladder.slope_error, ladder.expected_slope);
    }
}

Json player_json(const Row& row, const RateOptions& options, const lab::ResultTable& table,
                 const lab::Ratings& ratings) {
    const double width = lab::interval_width(options.confidence);
    return {{"player", table.names()[row.player]},
            {"elo", ratings.elo[row.player]},
            {"anchored", static_cast<bool>(ratings.anchored[row.player])},
            {"error_model", width * ratings.standard_error(row.player, lab::ErrorSource::Model)},
            {"error_pairs", width * ratings.standard_error(row.player, lab::ErrorSource::Pairs)},
            {"games", row.total.games()},
            {"wins", row.total.wins()},
            {"draws", row.total.draws()},
            {"losses", row.total.losses()},
            {"opponents", row.opponents}};
}

Json ladder_json(const lab::LadderFit& ladder, const lab::ResultTable& table) {
    return {{"player", table.names()[ladder.player]},
            {"slope", ladder.slope},
            {"slope_error", ladder.slope_error},
            {"expected_slope", ladder.expected_slope},
            {"chi_square", chi_square_json(ladder.as_rated)},
            {"chi_square_constant", chi_square_json(ladder.constant)}};
}

void print_as_json(Console& console, const RateOptions& options, const lab::ResultTable& table,
                   const lab::Ratings& ratings, const lab::GoodnessOfFit& fit,
                   const std::vector<Row>& rows) {
    Json players = Json::array(), ladders = Json::array();
    for (const Row& row : rows) players.push_back(player_json(row, options, table, ratings));
    for (const lab::LadderFit& ladder : fit.ladders) ladders.push_back(ladder_json(ladder, table));
    Json report{{"confidence", options.confidence},
                {"advantage", ratings.model.advantage},
                {"drawelo", ratings.model.draw_elo},
                {"prior_draws", options.rating.prior_draws},
                {"players", players},
                {"chi_square", chi_square_json(fit.results)},
                {"draws", fit.draws},
                {"expected_draws", fit.expected_draws},
                {"ladders", ladders},
                {"warnings", lab::fit_warnings(table, ratings, fit)}};
    if (options.los) {
        Json superiority = Json::array();
        for (const Row& a : rows) {
            Json line = Json::array();
            for (const Row& b : rows) {
                line.push_back(ratings.superiority(a.player, b.player, lab::ErrorSource::Pairs));
            }
            superiority.push_back(line);
        }
        report["superiority"] = superiority;
    }
    print_json(console, report);
}

ExitCode run_rate(const RateOptions& options, Console& console) {
    const auto results = read_results(options, console);
    if (!results) return console.error(results.error());
    const lab::ResultTable& table = results->table;
    lab::RatingOptions rating = options.rating;
    auto anchors = parse_anchors(options.anchors, table);
    if (!anchors) return console.error(anchors.error());
    rating.anchors = *std::move(anchors);
    const auto ratings = lab::rate(table, rating);
    if (!ratings) return console.error(ratings.error());
    lab::GoodnessOfFit fit = lab::check_fit(table, *ratings);
    fit.results.simulated_p = lab::simulate_p(table, *ratings, rating, fit.results);
    const std::vector<Row> rows = rows_of(table, *ratings);
    if (options.json) {
        print_as_json(console, options, table, *ratings, fit, rows);
        return ExitCode::Ok;
    }
    print_table(console, options, table, *ratings, rows);
    if (options.los) print_superiority(console, table, *ratings, rows);
    print_fit(console, table, *ratings, fit);
    for (const std::string& warning : lab::fit_warnings(table, *ratings, fit)) {
        console.warn(warning);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_rate(Command& parent, Session& session) {
    const auto options = std::make_shared<RateOptions>();
    Command* command = parent.add_subcommand(
        "rate", "ratings of the players, and whether the results behave like ratings");
    command
        ->add_option("files", options->files,
                     "PGN, also .zst, or logs of solis match; '-' is standard input")
        ->required();
    command->add_option("--anchor", options->anchors, "NAME=ELO: a known rating; may be repeated")
        ->one_at_a_time();
    command->add_option("--advantage", options->rating.model.advantage, "of White")
        ->range(-1000, 1000)
        ->capture_default_str();
    command->add_option("--drawelo", options->rating.model.draw_elo, "more means more draws")
        ->range(0.01, 2000)
        ->capture_default_str();
    command->add_flag("--fit-advantage", options->rating.fit_advantage,
                      "estimate it from the games");
    command->add_flag("--fit-drawelo", options->rating.fit_draw_elo, "estimate it from the games");
    command->add_option("--prior", options->rating.prior_draws, "virtual draws")
        ->range(0, 1000)
        ->capture_default_str();
    command->add_option("--confidence", options->confidence, "of the intervals")
        ->range(0.01, 0.9999)
        ->capture_default_str();
    command->add_flag("--los", options->los, "likelihood of superiority of each over each");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_rate(*options, session.console); });
}

}  // namespace solis::cli
