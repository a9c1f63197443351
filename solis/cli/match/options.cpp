// From the command line to a match.
#include "solis/cli/match/options.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/cli/own_program.h"
#include "solis/data/formats/fields.h"
#include "solis/lab/key_values.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

milliseconds from_seconds(double seconds) {
    return milliseconds(static_cast<long long>(seconds * 1000));
}

// "from=40,moves=8,score=10" into the variables of a rule.
Result<void> read_rule(const char* option, const std::string& text,
                       const std::vector<std::pair<std::string_view, int*>>& keys) {
    const auto items = lab::parse_key_values(text);
    if (!items) return fail_in(option, items.error());
    for (const auto& [key, value] : *items) {
        const auto found = std::find_if(keys.begin(), keys.end(), [&name = key](const auto& known) {
            return known.first == name;
        });
        const auto number = data::parse_number<int>(value);
        if (found == keys.end() || !number || *number < 0) {
            std::vector<std::string_view> names;
            for (const auto& known : keys) names.push_back(known.first);
            return fail(fmt::format("{}: '{}={}' is not understood", option, key, value),
                        fmt::format("keys are {}, values whole numbers", fmt::join(names, ", ")));
        }
        *found->second = *number;
    }
    return {};
}

Result<lab::AdjudicationOptions> adjudication_of(const MatchFlags& flags) {
    lab::AdjudicationOptions options;
    if (!flags.draw.empty()) {
        lab::DrawRule rule;
        const auto read = read_rule(
            "--draw", flags.draw,
            {{"from", &rule.from_move}, {"moves", &rule.moves}, {"score", &rule.centipawns}});
        if (!read) return tl::unexpected(read.error());
        options.draw = rule;
    }
    if (!flags.resign.empty()) {
        lab::ResignRule rule;
        int both = rule.both_agree ? 1 : 0;
        const auto read =
            read_rule("--resign", flags.resign,
                      {{"moves", &rule.moves}, {"score", &rule.centipawns}, {"both", &both}});
        if (!read) return tl::unexpected(read.error());
        rule.both_agree = both != 0;
        options.resign = rule;
    }
    if (flags.max_moves > 0) options.max_moves = flags.max_moves;
    return options;
}

Result<void> read_players(const MatchFlags& flags, lab::MatchSetup& setup) {
    const auto defaults = lab::parse_player_defaults(flags.each);
    if (!defaults) return fail_in("--each", defaults.error());
    std::set<std::string> names;
    for (const std::string& text : flags.engines) {
        auto player = lab::parse_player(text, *defaults);
        if (!player) return tl::unexpected(player.error());
        if (!names.insert(player->name).second) {
            return fail(fmt::format("two engines are called '{}'", player->name),
                        "tell them apart with name=...");
        }
        if (!player->limits.any()) {
            return fail(fmt::format("engine '{}' may think for ever", player->name),
                        "give it tc, st, nodes or depth, or all of them with --each tc=10+0.1");
        }
        auto engine = lab::to_engine(*player, own_program());
        if (!engine) return tl::unexpected(engine.error());
        engine->timeouts.start = engine->timeouts.ready = from_seconds(flags.start_timeout);
        if (flags.chess960) engine->options.emplace_back("UCI_Chess960", "true");
        setup.players.push_back(std::move(*player));
        setup.engines.push_back(std::move(*engine));
    }
    if (setup.players.size() < 2) return fail("a match needs two engines", "give --engine twice");
    return {};
}

// What each engine calls itself.
Result<std::vector<std::string>> try_engines(const lab::MatchSetup& setup) {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < setup.engines.size(); ++i) {
        const auto client = engine::UciClient::start(setup.engines[i]);
        if (!client) return fail_in(setup.players[i].name, client.error());
        ids.push_back(client->name());
    }
    return ids;
}

std::string identity_of(const MatchFlags& flags, const lab::MatchSetup& setup,
                        const std::vector<std::string>& ids) {
    Json players = Json::array(), engines = Json::array();
    for (const lab::PlayerSpec& player : setup.players) {
        players.push_back(player.name);
        engines.push_back(lab::to_text(player));
    }
    return Json{{"players", players},
                {"engines", engines},
                {"ids", ids},
                {"tournament", flags.gauntlet ? "gauntlet" : "round robin"},
                {"paired", !flags.unpaired},
                {"openings",
                 {{"name", std::filesystem::path(setup.openings.name).filename().string()},
                  {"content", fmt::format("{:016x}", setup.openings.content)},
                  {"plies", flags.opening_plies},
                  {"shuffled", !flags.openings_in_order}}},
                {"seed", flags.seed},
                {"chess960", flags.chess960},
                {"draw", flags.draw},
                {"resign", flags.resign},
                {"max_moves", flags.max_moves},
                {"tablebases", !flags.tablebases.empty()},
                {"time_margin", flags.time_margin}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Whoever starts several ranks on a machine has divided it already.
int default_concurrency(const lab::Ranks& ranks) {
    if (ranks.size > 1) return 1;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

lab::TimeRules times_of(const MatchFlags& flags) {
    lab::TimeRules times;
    if (flags.time_margin >= 0) {
        times.clock_margin = times.movetime_margin = milliseconds(flags.time_margin);
    }
    times.hang_after = from_seconds(flags.hang_after);
    times.longest_search = from_seconds(flags.search_timeout);
    return times;
}

Result<void> read_openings(const MatchFlags& flags, std::uint64_t rounds, lab::MatchSetup& setup) {
    lab::OpeningOptions options;
    options.file = flags.openings;
    options.plies = flags.opening_plies;
    options.seed = Seed{flags.seed};
    options.shuffled = !flags.openings_in_order;
    options.rounds = rounds;
    auto openings = lab::load_openings(options, flags.chess960);
    if (!openings) return tl::unexpected(openings.error());
    setup.openings = std::move(*openings);
    return {};
}

void add_rule_flags(Command& command, MatchFlags& flags) {
    command.add_option("--draw", flags.draw,
                       "adjudicate draws: from=40,moves=8,score=10 (move number, moves in a row "
                       "of both sides, centipawns)");
    command.add_option("--resign", flags.resign,
                       "adjudicate losses: moves=4,score=600,both=1 (both=0: the loser's word is "
                       "enough)");
    command.add_option("--max-moves", flags.max_moves, "a draw after so many moves")
        ->range(1, 10000);
    command.add_option("--tablebases", flags.tablebases, "folder of Syzygy tables that end games");
    command
        .add_option("--time-margin", flags.time_margin,
                    "milliseconds an answer may be late (default: 0 with a clock, 100 with st)")
        ->range(0, 60000);
    command
        .add_option("--start-timeout", flags.start_timeout,
                    "seconds an engine may take to answer 'uci', and as many for 'isready'")
        ->range(0.01, 3600.0)
        ->capture_default_str();
    command
        .add_option("--hang-after", flags.hang_after,
                    "seconds of silence after its time that make a hang of a time loss")
        ->range(0.01, 3600.0)
        ->capture_default_str();
    command
        .add_option("--search-timeout", flags.search_timeout,
                    "seconds for a move that only nodes or depth limit; then the engine is stopped "
                    "and loses on time")
        ->range(0.01, 86400.0)
        ->capture_default_str();
}

}  // namespace

void add_match_flags(Command& command, MatchFlags& flags) {
    command.add_option("--engine", flags.engines,
                       "cmd=PATH,name=NAME,arg=TEXT,option.NAME=VALUE and a limit: tc=10+0.1, "
                       "st=50ms, nodes=1000, depth=8; once per engine. 'solis' is this program, "
                       "'internal' the same without a process, 'stockfish' the installed one");
    command.add_option("--each", flags.each, "what is the same for all engines, as in --engine");
    command.add_option("--games", flags.games, "games of each pairing")
        ->range(1, 10'000'000)
        ->capture_default_str();
    command.add_flag("--gauntlet", flags.gauntlet, "the first engine against each of the others");
    command.add_flag("--unpaired", flags.unpaired,
                     "a new opening for every game, instead of both colours from each");
    command.add_option("--openings", flags.openings,
                       "EPD, PGN or Polyglot (.bin) file (default: a balanced set of our own)");
    command.add_option("--plies", flags.opening_plies, "of a PGN game or Polyglot book to play")
        ->range(0, 400)
        ->capture_default_str();
    command.add_flag("--openings-in-order", flags.openings_in_order, "do not shuffle them");
    command.add_flag("--chess960", flags.chess960, "openings may need Chess960 castling");
    command.add_option("--seed", flags.seed, "of the order of openings")->capture_default_str();
    command
        .add_option("--concurrency", flags.concurrency,
                    "games at once (default: one per core, under mpirun one)")
        ->range(1, 1024);
    command.add_flag("--recover", flags.recover,
                     "go on after a crash or hang instead of ending the match");
    add_rule_flags(command, flags);
}

Result<PreparedMatch> prepare_match(const MatchFlags& flags) {
    PreparedMatch prepared;
    lab::MatchSetup& setup = prepared.setup;
    if (auto read = read_players(flags, setup); !read) return tl::unexpected(read.error());
    const auto adjudication = adjudication_of(flags);
    if (!adjudication) return tl::unexpected(adjudication.error());
    setup.adjudication = *adjudication;
    lab::ScheduleOptions schedule;
    schedule.tournament = flags.gauntlet ? lab::Tournament::Gauntlet : lab::Tournament::RoundRobin;
    schedule.players = static_cast<int>(setup.players.size());
    schedule.paired = !flags.unpaired;
    schedule.rounds = schedule.paired ? (flags.games + 1) / 2 : flags.games;
    setup.schedule = lab::Schedule(schedule);
    if (auto read = read_openings(flags, schedule.rounds, setup); !read) {
        return tl::unexpected(read.error());
    }
    if (!flags.tablebases.empty()) {
        auto opened = chess::Tablebase::open(flags.tablebases);
        if (!opened) return tl::unexpected(opened.error());
        prepared.tablebase = std::make_unique<chess::Tablebase>(std::move(*opened));
        setup.tablebase = prepared.tablebase.get();
    }
    setup.times = times_of(flags);
    setup.recover = flags.recover;
    setup.ranks = lab::ranks_from_environment();
    setup.concurrency =
        flags.concurrency > 0 ? flags.concurrency : default_concurrency(setup.ranks);
    const auto ids = try_engines(setup);
    if (!ids) return tl::unexpected(ids.error());
    prepared.identity = identity_of(flags, setup, *ids);
    return prepared;
}

}  // namespace solis::cli
