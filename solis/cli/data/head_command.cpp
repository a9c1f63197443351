// solis data head: the first games of a store, readable.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/data/data_commands.h"
#include "solis/data/formats/tree_text.h"

namespace solis::cli {
namespace {

struct HeadOptions {
    std::string file;
    std::size_t games = 1;
    std::size_t plies = 20;
    bool skip_damaged = false;
    bool json = false;
};

std::string score_text(data::Score score) {
    if (score.is_none()) return "-";
    if (!score.is_mate()) return fmt::format("{:+.2f}", score.value() / 100.0);
    const int distance = data::Score::kMate - std::abs(score.value());
    return fmt::format("{}#{}", score.value() > 0 ? "+" : "-", distance);
}

std::string branches_text(const chess::Position& position, std::span<const data::Branch> branches) {
    std::string text;
    for (const data::Branch& branch : branches) {
        text += fmt::format("  ({}", chess::to_uci(position, branch.first));
        if (!branch.second.is_none()) {
            text += fmt::format(" {}", chess::to_uci(position.after(branch.first), branch.second));
        }
        text += fmt::format(" {})", score_text(branch.score));
    }
    return text;
}

void print_game(Console& console, const data::LabelledGame& game, std::size_t number,
                std::size_t max_plies) {
    constexpr std::array<std::string_view, 4> kResults{"unknown", "White wins", "draw",
                                                       "Black wins"};
    console.print(fmt::emphasis::bold, "game {}: {} plies, {} branches, result {}, split {}\n",
                  number, game.line.size() - 1, game.branches.size(),
                  kResults[static_cast<std::size_t>(game.result)],
                  data::name_of(data::split_of(game)));
    console.print("{}\n", chess::to_fen(game.start));
    chess::Position position = game.start;
    const data::Branch* branches = game.branches.data();
    const std::size_t shown = std::min(game.line.size(), max_plies + 1);
    for (std::size_t i = 0; i < shown; ++i) {
        const data::Ply& ply = game.line[i];
        const std::string move = i == 0 ? "start" : chess::to_uci(position, ply.move);
        if (i > 0) position = position.after(ply.move);
        console.print("  {:>4}  {:<6} {:>7}", i, move, score_text(ply.score));
        if (!ply.second_look.is_none()) console.print(" [{}]", score_text(ply.second_look));
        console.print("{}\n", branches_text(position, {branches, ply.branch_count}));
        branches += ply.branch_count;
    }
    if (shown < game.line.size()) console.print("  ... {} more\n", game.line.size() - shown);
}

nlohmann::ordered_json game_json(const data::LabelledGame& game) {
    constexpr std::array<std::string_view, 4> kResults{"*", "1-0", "1/2-1/2", "0-1"};
    return {{"fen", chess::to_fen(game.start)},
            {"plies", game.line.size() - 1},
            {"branches", game.branches.size()},
            {"result", kResults[static_cast<std::size_t>(game.result)]},
            {"split", data::name_of(data::split_of(game))},
            {"tree", data::to_tree_text(game)}};
}

ExitCode run_head(const HeadOptions& options, Console& console) {
    auto source = data::StoreSource::open(options.file, on_damage(options.skip_damaged));
    if (!source) return console.error(source.error());
    data::LabelledGame game;
    for (std::size_t i = 1; i <= options.games; ++i) {
        const auto more = (*source)->next(game);
        if (!more) return console.error(more.error());
        if (!*more) break;
        if (options.json) {
            print_json(console, game_json(game));
        } else {
            print_game(console, game, i, options.plies);
        }
    }
    report_damage(console, (*source)->report());
    return ExitCode::Ok;
}

}  // namespace

void add_data_head(Command& parent, Session& session) {
    const auto options = std::make_shared<HeadOptions>();
    Command* command = parent.add_subcommand("head", "show the first games of a store");
    command->add_option("store", options->file, "store file")->required();
    command->add_option("-n,--games", options->games, "how many games")->capture_default_str();
    command->add_option("--plies", options->plies, "how many plies of each")->capture_default_str();
    add_skip_damaged_flag(*command, options->skip_damaged);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_head(*options, session.console); });
}

}  // namespace solis::cli
