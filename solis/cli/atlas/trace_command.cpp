// solis trace: games as paths over a map of the latent space.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/file.h"
#include "solis/chess/fen.h"
#include "solis/chess/san.h"
#include "solis/cli/atlas/map_options.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

using chess::GameResult;
using Json = nlohmann::ordered_json;

struct TraceCommand {
    MapOptions map;
    std::string games_file;
    std::vector<int> numbers;  // of games, from 1
    std::vector<std::string> out;
    int marks = 3;
    bool json = false;
};

// A game with where it goes.
struct Trace {
    SeenGame game;
    atlas::MapPath path;
};

constexpr std::size_t kPanels = 3;

// The games with the wanted numbers; without numbers the first won by White, the first drawn and
// the first won by Black, or where results are missing simply the first ones.
Result<std::vector<SeenGame>> choose_games(const TraceCommand& command, Console& console) {
    std::vector<SeenGame> first, numbered;
    std::array<std::optional<SeenGame>, kPanels> by_result;
    int number = 0;
    const auto read = read_games(command.games_file, console, [&](SeenGame&& game) {
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

// A generated game of the wanted result and of a length that can be followed on a map; where none
// comes up soon, the last one played.
SeenGame generated_example(const SpaceModel& model, GameResult wanted, Rng& rng) {
    constexpr int kTries = 400;
    SeenGame game;
    for (int i = 0; i < kTries; ++i) {
        // Two careful players draw more often than others.
        const double chance = 0.01 + 0.02 * rng.unit();
        const bool draw = wanted == GameResult::Draw;
        game = generated_game(model, draw ? Temperatures{chance, chance} : drawn_temperatures(rng),
                              rng);
        if (game.result == wanted && game.moves.size() >= 30 && game.moves.size() <= 110) break;
    }
    game.name = "generated";
    return game;
}

std::vector<SeenGame> generated_examples(const SpaceModel& model, Seed seed) {
    Rng rng(Seed{seed.value + 1});
    std::vector<SeenGame> examples;
    for (const GameResult wanted :
         {GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins}) {
        examples.push_back(generated_example(model, wanted, rng));
    }
    return examples;
}

std::string move_name(const SeenGame& game, std::size_t ply) {
    const chess::Position& before = game.positions[ply - 1];
    const bool white = before.side_to_move() == chess::Color::White;
    return fmt::format("{}{}{}", before.fullmove_number(), white ? "." : "...",
                       chess::to_san(before, game.moves[ply - 1]));
}

// The moves after which the win probability had changed most, largest first.
std::vector<atlas::PathMark> turning_points(const SeenGame& game, std::span<const double> values,
                                            std::size_t most) {
    std::vector<std::size_t> plies;
    for (std::size_t i = 1; i < values.size(); ++i) plies.push_back(i);
    std::ranges::stable_sort(plies, [&](std::size_t a, std::size_t b) {
        return std::abs(values[a] - values[a - 1]) > std::abs(values[b] - values[b - 1]);
    });
    std::vector<atlas::PathMark> marks;
    for (std::size_t i = 0; i < std::min(most, plies.size()); ++i) {
        marks.push_back({plies[i], move_name(game, plies[i])});
    }
    return marks;
}

Result<Trace> trace_game(SeenGame game, const SpaceModel& model, const atlas::Map& map,
                         std::size_t marks, ThreadPool& pool) {
    const std::vector<float> z = model.embed(game.positions, pool);
    auto places = map.place_all({z, model.dims()}, pool);
    if (!places) return tl::unexpected(places.error());
    atlas::MapPath path;
    path.places = std::move(*places);
    for (std::size_t i = 0; i < game.positions.size(); ++i) {
        const auto row = std::span(z).subspan(i * model.dims(), model.dims());
        path.values.push_back(model.win_probability(row, game.positions[i]));
    }
    path.marks = turning_points(game, path.values, marks);
    path.numbered_every = 10;
    return Trace{std::move(game), std::move(path)};
}

std::string result_words(GameResult result) {
    switch (result) {
        case GameResult::WhiteWins:
            return "White wins";
        case GameResult::Draw:
            return "Draw";
        case GameResult::BlackWins:
            return "Black wins";
        case GameResult::Unknown:
            break;
    }
    return "Unfinished";
}

atlas::MapPicture traces_picture(atlas::MapPicture picture, const std::vector<Trace>& traces) {
    picture.title = traces.size() == 1 ? "A game as a path through the latent space"
                                       : "Games as paths through the latent space";
    picture.panels.clear();
    for (const Trace& trace : traces) {
        picture.panels.push_back(
            {result_words(trace.game.result),
             fmt::format("{}{}{} plies", trace.game.name, trace.game.name.empty() ? "" : ", ",
                         trace.game.moves.size()),
             trace.path});
    }
    if (traces.size() > 1) picture.panel_width = 480, picture.panel_height = 460;
    return picture;
}

Json trace_json(const Trace& trace) {
    Json plies = Json::array();
    for (std::size_t i = 0; i < trace.path.places.size(); ++i) {
        Json ply{{"ply", i},
                 {"fen", chess::to_fen(trace.game.positions[i])},
                 {"x", trace.path.places[i].x},
                 {"y", trace.path.places[i].y},
                 {"win_probability", trace.path.values[i]}};
        if (i > 0) ply["move"] = move_name(trace.game, i);
        plies.push_back(std::move(ply));
    }
    Json marks = Json::array();
    for (const atlas::PathMark& mark : trace.path.marks) {
        marks.push_back(
            {{"ply", mark.step},
             {"move", mark.label},
             {"change", trace.path.values[mark.step] - trace.path.values[mark.step - 1]}});
    }
    return {{"name", trace.game.name},
            {"result", chess::to_string(trace.game.result)},
            {"turning_points", std::move(marks)},
            {"plies", std::move(plies)}};
}

void print_traces(const TraceCommand& command, const std::vector<Trace>& traces, Console& console) {
    if (command.json) {
        Json games = Json::array();
        for (const Trace& trace : traces) games.push_back(trace_json(trace));
        return print_json(console, {{"games", std::move(games)}, {"files", command.out}});
    }
    for (const Trace& trace : traces) {
        console.print("{} {}, {} plies\n", chess::to_string(trace.game.result), trace.game.name,
                      trace.game.moves.size());
        for (const atlas::PathMark& mark : trace.path.marks) {
            console.print("  {:<14} White wins {:5.1f} % -> {:5.1f} %\n", mark.label,
                          100 * trace.path.values[mark.step - 1],
                          100 * trace.path.values[mark.step]);
        }
    }
    for (const std::string& path : command.out) console.print("wrote {}\n", path);
}

ExitCode run_trace(TraceCommand command, Console& console) {
    if (command.out.empty()) command.out = {"trace.html"};
    for (const std::string& path : command.out) {
        if (auto ok = check_output(path, command.map.existing); !ok)
            return console.error(ok.error());
    }
    const auto model = SpaceModel::open(command.map.model);
    if (!model) return console.error(model.error());
    ThreadPool pool(static_cast<std::size_t>(command.map.threads));
    auto games =
        command.games_file.empty()
            ? Result<std::vector<SeenGame>>(generated_examples(*model, Seed{command.map.seed}))
            : choose_games(command, console);
    if (!games) return console.error(games.error());
    auto fitted = obtain_map(command.map, *model, pool, console);
    if (!fitted) return console.error(fitted.error());
    const atlas::Map map(std::move(fitted->data), pool);
    std::vector<Trace> traces;
    for (SeenGame& game : *games) {
        auto trace =
            trace_game(std::move(game), *model, map, static_cast<std::size_t>(command.marks), pool);
        if (!trace) return console.error(trace.error());
        traces.push_back(std::move(*trace));
    }
    const auto picture = traces_picture(map_picture(map, *model, fitted->source), traces);
    for (const std::string& path : command.out) {
        const auto written =
            write_picture(path, picture, board_extras(fitted->positions), command.map);
        if (!written) return console.error(written.error());
    }
    print_traces(command, traces, console);
    return ExitCode::Ok;
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
    add_picture_options(*command, options->map);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_trace(*options, session.console); });
}

}  // namespace solis::cli
