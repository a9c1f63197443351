// solis trace: games as paths over a map of the latent space.
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/analysis/space/trace.h"
#include "solis/chess/fen.h"
#include "solis/cli/atlas/atlas_options.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;
using analysis::GameTrace;
using analysis::SeenGame;
using analysis::SpaceModel;

struct TraceCommand {
    MapOptions map;
    SpaceOptions space;
    PictureOptions picture;
    std::string games_file;
    std::vector<int> numbers;  // of games, from 1
    std::vector<std::string> out;
    int marks = 3;
    bool json = false;
};

constexpr std::size_t kPanels = 3;

// The games with the wanted numbers; without numbers the first won by White, the first drawn and
// the first won by Black, or where results are missing simply the first ones.
Result<std::vector<SeenGame>> choose_games(const TraceCommand& command,
                                           const analysis::Listener& listener) {
    std::vector<SeenGame> first, numbered;
    std::array<std::optional<SeenGame>, kPanels> by_result;
    int number = 0;
    const auto read = analysis::read_games(command.games_file, listener, [&](SeenGame&& game) {
        ++number;
        if (game.moves.empty()) return true;
        if (std::ranges::find(command.numbers, number) != command.numbers.end()) {
            numbered.push_back(game);
        }
        const auto slot = static_cast<std::size_t>(game.result);
        if (slot > 0 && !by_result[slot - 1]) by_result[slot - 1] = game;
        if (first.size() < kPanels) first.push_back(std::move(game));
        const bool all =
            std::ranges::all_of(by_result, [](const auto& g) { return g.has_value(); });
        return command.numbers.empty() ? !all : numbered.size() < command.numbers.size();
    });
    if (!read) return tl::unexpected(read.error());
    if (!command.numbers.empty()) {
        if (numbered.size() == command.numbers.size()) return numbered;
        return fail(fmt::format("'{}' has {} games, and not all that --game names",
                                command.games_file, number));
    }
    if (first.empty()) return fail(fmt::format("'{}' has no game with a move", command.games_file));
    if (!std::ranges::all_of(by_result, [](const auto& g) { return g.has_value(); })) return first;
    return std::vector<SeenGame>{*by_result[0], *by_result[1], *by_result[2]};
}

Json trace_json(const GameTrace& trace, const atlas::MapPath& path) {
    Json plies = Json::array(), moments = Json::array();
    for (std::size_t i = 0; i < trace.p.size(); ++i) {
        Json ply{{"ply", i},
                 {"fen", chess::to_fen(trace.game.positions[i])},
                 {"x", path.places[i].x},
                 {"y", path.places[i].y},
                 {"win_probability", trace.p[i]}};
        if (i > 0) ply["move"] = analysis::move_text(trace.game, i);
        plies.push_back(std::move(ply));
    }
    for (const analysis::KeyMoment& moment : trace.key_moments) {
        moments.push_back(
            {{"ply", moment.ply}, {"move", moment.move}, {"change", moment.after - moment.before}});
    }
    return {{"name", trace.game.name},
            {"result", chess::to_string(trace.game.result)},
            {"turning_points", std::move(moments)},
            {"plies", std::move(plies)}};
}

void print_traces(const TraceCommand& command, const std::vector<GameTrace>& traces,
                  const std::vector<atlas::MapPath>& paths, Console& console) {
    if (command.json) {
        Json games = Json::array();
        for (std::size_t i = 0; i < traces.size(); ++i) {
            games.push_back(trace_json(traces[i], paths[i]));
        }
        return print_json(console, {{"games", std::move(games)}, {"files", command.out}});
    }
    for (const GameTrace& trace : traces) {
        console.print("{} {}, {} plies\n", chess::to_string(trace.game.result), trace.game.name,
                      trace.game.moves.size());
        for (const analysis::KeyMoment& moment : trace.key_moments) {
            console.print("  {:<14} White wins {:5.1f} % -> {:5.1f} %\n", moment.move,
                          100 * moment.before, 100 * moment.after);
        }
    }
    for (const std::string& path : command.out) console.print("wrote {}\n", path);
}

Result<void> draw_traces(const TraceCommand& command, std::vector<SeenGame> games,
                         const SpaceModel& model, ThreadPool& pool, StageProgress& progress,
                         Console& console) {
    auto fitted = obtain_map(command.map, model, pool, progress.listener());
    if (!fitted) return tl::unexpected(fitted.error());
    const atlas::Map map(std::move(fitted->data), pool);
    std::vector<GameTrace> traces;
    std::vector<atlas::MapPath> paths;
    for (SeenGame& game : games) {
        traces.push_back(analysis::trace_game(std::move(game), model,
                                              static_cast<std::size_t>(command.marks), pool));
        auto path = analysis::path_on_map(traces.back(), map, pool);
        if (!path) return tl::unexpected(path.error());
        paths.push_back(std::move(*path));
    }
    const auto picture = analysis::traces_picture(
        analysis::map_picture(map, model, fitted->sample.source), traces, paths);
    for (const std::string& path : command.out) {
        if (auto ok = write_picture(path, picture, fitted->sample, command.picture); !ok) return ok;
    }
    print_traces(command, traces, paths, console);
    return {};
}

ExitCode run_trace(TraceCommand command, Console& console) {
    if (command.out.empty()) command.out = {"trace.html"};
    if (auto ok = check_outputs(command.out, command.picture.existing); !ok) {
        return console.error(ok.error());
    }
    const auto model = open_space(command.space);
    if (!model) return console.error(model.error());
    StageProgress progress(console);
    ThreadPool pool(static_cast<std::size_t>(command.space.threads));
    const Seed seed{command.map.seed};
    auto games = command.games_file.empty()
                     ? Result<std::vector<SeenGame>>(analysis::generated_examples(*model, seed))
                     : choose_games(command, progress.listener());
    if (!games) return console.error(games.error());
    const auto drawn = draw_traces(command, std::move(*games), *model, pool, progress, console);
    if (auto ok = model->model().status(); !ok) return console.error(ok.error());
    return drawn ? ExitCode::Ok : report_failure(console, drawn.error());
}

}  // namespace

void add_trace(Command& parent, Session& session) {
    const auto options = std::make_shared<TraceCommand>();
    options->map.count = 8000;
    Command* command =
        parent.add_subcommand("trace", "draw games as paths through the latent space");
    command->add_option("games", options->games_file,
                        "PGN or store (default: one generated game of each result)");
    command
        ->add_option("--game", options->numbers,
                     "number of a game in the file, from 1 (default: one of each result)")
        ->one_at_a_time();
    command
        ->add_option("--out", options->out,
                     ".html (interactive), .svg or .png (default: trace.html)")
        ->one_at_a_time();
    command->add_option("--marks", options->marks, "moves that are named, those that changed most")
        ->range(0, 20)
        ->capture_default_str();
    command->add_option("--map", options->map.map,
                        "map file of solis map --save (default: a new map)");
    command->add_option("--cloud", options->map.input,
                        "positions of a new map: store, PGN, FEN list (default: generated games)");
    add_map_options(*command, options->map);
    add_space_options(*command, options->space);
    add_picture_options(*command, options->picture);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_trace(*options, session.console); });
}

}  // namespace solis::cli
