// The paper's experiments as matches: who plays, under which conditions, and the games so far.
#include "solis/lab/paper/protocol.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/engine/client/uci_client.h"
#include "solis/lab/match/game_log.h"
#include "solis/lab/match/match_runner.h"

namespace solis::lab {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

constexpr milliseconds kMoveTime{50};
constexpr milliseconds kStartTime{30'000};
constexpr int kLowestCap = 1350;

PlayerSpec stockfish_player(const ProtocolOptions& options, std::string name) {
    PlayerSpec player;
    player.name = std::move(name);
    player.program = options.stockfish;
    player.options = {{"Hash", "32"}, {"Threads", "1"}};
    player.limits.movetime = kMoveTime;
    return player;
}

// All that decides what is played; the number of games is not part of it.
std::string identity_of(const MatchSetup& setup, const ProtocolOptions& options) {
    Json players = Json::array(), engines = Json::array();
    for (const PlayerSpec& player : setup.players) {
        players.push_back(player.name);
        engines.push_back(to_text(player));
    }
    return Json{{"players", players},
                {"engines", engines},
                {"model", options.model_hash},
                {"tournament", "gauntlet"},
                {"paired", true},
                {"openings", fmt::format("{:016x}", setup.openings.content)},
                {"seed", options.seed}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<MatchSetup> setup_of(const ProtocolMatch& match, const ProtocolOptions& options) {
    MatchSetup setup;
    setup.players = match.players;
    for (const PlayerSpec& player : match.players) {
        auto engine = to_engine(player, options.own);
        if (!engine) return tl::unexpected(engine.error());
        engine->timeouts.start = kStartTime;
        setup.engines.push_back(std::move(*engine));
    }
    const std::uint64_t rounds = (options.games + 1) / 2;
    setup.schedule =
        Schedule({Tournament::Gauntlet, static_cast<int>(match.players.size()), rounds, true});
    OpeningOptions openings;
    openings.seed = Seed{options.seed};
    openings.rounds = rounds;
    auto loaded = load_openings(openings, false);
    if (!loaded) return tl::unexpected(loaded.error());
    setup.openings = std::move(*loaded);
    // The paper measures strength, not punctuality: a move that a busy machine delays is no loss.
    setup.times.movetime_margin = milliseconds(10'000);
    setup.concurrency = options.concurrency;
    setup.recover = true;
    return setup;
}

}  // namespace

std::string PaperConfig::name() const {
    return fmt::format("S{}-W{}-{}", depth, width, to_string(scoring));
}

PlayerSpec solis_player(const PaperConfig& config, const ProtocolOptions& options) {
    PlayerSpec player;
    player.name = config.name();
    player.program = "solis";
    const bool anchored = config.scoring == Scoring::Anchored;
    player.options = {{"Plan", "paper"},
                      {"Width", std::to_string(config.width)},
                      {"Depth", std::to_string(config.depth)},
                      {"Scoring", anchored ? "Anchored" : "Directional"}};
    if (!options.weights.empty()) player.options.emplace_back("WeightsFile", options.weights);
    player.limits.depth = config.depth;
    return player;
}

std::string capped_name(int cap) { return fmt::format("stockfish-{}", cap); }

PlayerSpec capped_stockfish(int cap, const ProtocolOptions& options) {
    PlayerSpec player = stockfish_player(options, capped_name(cap));
    if (options.stockfish_nodes > 0) {
        player.limits.movetime.reset();
        player.limits.nodes = options.stockfish_nodes;
    }
    player.options.emplace_back("UCI_LimitStrength", "true");
    player.options.emplace_back("UCI_Elo", std::to_string(cap));
    return player;
}

PlayerSpec stockfish_at_depth(int depth, const ProtocolOptions& options) {
    PlayerSpec player = stockfish_player(options, fmt::format("stockfish-depth-{}", depth));
    player.limits.depth = depth;
    return player;
}

Result<CapRange> cap_range(const ProtocolOptions& options) {
    const auto spec = to_engine(stockfish_player(options, "stockfish"), options.own);
    if (!spec) return tl::unexpected(spec.error());
    const auto client = engine::UciClient::start(*spec);
    if (!client) return tl::unexpected(client.error());
    const engine::UciOption* cap = client->find_option("UCI_Elo");
    if (cap == nullptr || client->find_option("UCI_LimitStrength") == nullptr) {
        return fail(fmt::format("{} cannot limit its strength to a rating", client->name()),
                    "use an engine with the options UCI_LimitStrength and UCI_Elo");
    }
    return CapRange{static_cast<int>(cap->min), static_cast<int>(cap->max)};
}

std::vector<int> caps_in(const CapRange& range, int step) {
    std::vector<int> caps;
    for (int cap = std::max(kLowestCap, range.low); cap < range.high; cap += step) {
        caps.push_back(cap);
    }
    caps.push_back(range.high);
    return caps;
}

Result<ProtocolGames> play_protocol(const ProtocolMatch& match, const ProtocolOptions& options,
                                    const ProtocolHooks& hooks) {
    const auto setup = setup_of(match, options);
    if (!setup) return tl::unexpected(setup.error());
    auto log = GameLog::open(options.folder / (match.name + ".log"), identity_of(*setup, options));
    if (!log) return fail(log.error().message, "name another folder, or wait for who uses it");
    ProtocolGames result{{}, setup->schedule.games()};
    std::vector<bool> played(setup->schedule.games());
    for (const GameRecord& game : log->earlier().games) {
        if (game.number < played.size()) played[game.number] = true;
        if (!game.at_fault) result.games.push_back(game);
    }
    MatchHooks match_hooks;
    match_hooks.interrupted = [&] { return !hooks.going_on(); };
    match_hooks.take = [&](const GameRecord& game) -> Result<bool> {
        // An engine that did not start or crashed says nothing about strength. The log does not
        // have the game, so the next run plays it again.
        if (game.at_fault) {
            hooks.on_game(game);
            return true;
        }
        if (auto added = log->add(game); !added) return tl::unexpected(added.error());
        result.games.push_back(game);
        hooks.on_game(game);
        return true;
    };
    if (const auto end = run_match(*setup, played, match_hooks); !end) {
        return tl::unexpected(end.error());
    }
    std::sort(result.games.begin(), result.games.end(),
              [](const GameRecord& a, const GameRecord& b) { return a.number < b.number; });
    return result;
}

}  // namespace solis::lab
