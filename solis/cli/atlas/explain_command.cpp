// solis explain: what moves the projection of a position.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/analysis/explain/explanation.h"
#include "solis/base/file.h"
#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/atlas/atlas_options.h"
#include "solis/cli/commands.h"
#include "solis/model/open.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;
using analysis::ExplainedMove;
using analysis::ExplainedPiece;
using analysis::Explanation;

struct ExplainCommand {
    std::vector<std::string> fen;
    SpaceOptions space;
    PictureOptions picture;
    std::string out;
    std::uint64_t arrows = 3;
    std::uint64_t top = 5;
    bool json = false;
};

std::string square_text(chess::Square square) {
    const int at = chess::index(square);
    return {static_cast<char>('a' + at % 8), static_cast<char>('1' + at / 8)};
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json explained_json(const Explanation& explained, const chess::Position& position) {
    Json pieces = Json::array(), moves = Json::array();
    for (const ExplainedPiece& piece : explained.pieces) {
        pieces.push_back({{"square", square_text(piece.square)},
                          {"piece", std::string(1, to_char(piece.piece))},
                          {"worth", optional_json(piece.worth)},
                          {"square_worth", optional_json(piece.square_worth)}});
    }
    for (const ExplainedMove& move : explained.moves) {
        moves.push_back({{"san", move.san},
                         {"uci", chess::to_uci(position, move.move)},
                         {"score", move.score},
                         {"win_probability", move.win_probability},
                         {"change", move.change},
                         {"ends_game", move.ends_game}});
    }
    return {{"fen", chess::to_fen(position)},
            {"score", explained.score},
            {"ending_score", optional_json(explained.ending_score)},
            {"win_probability", explained.win_probability},
            {"axis_distance", explained.axis_distance},
            {"pieces", std::move(pieces)},
            {"moves", std::move(moves)}};
}

std::string signed_text(const std::optional<double>& value) {
    return value ? fmt::format("{:+.3f}", *value) : "--";
}

void print_pieces(const Explanation& explained, Console& console) {
    std::vector<ExplainedPiece> pieces = explained.pieces;
    std::ranges::stable_sort(pieces, [](const ExplainedPiece& a, const ExplainedPiece& b) {
        return std::abs(a.worth.value_or(0)) > std::abs(b.worth.value_or(0));
    });
    console.print("\n{:<8}{:>10}{:>12}\n", "piece", "it adds", "its square");
    for (const ExplainedPiece& piece : pieces) {
        console.print("{:<8}{:>10}{:>12}\n",
                      fmt::format("{}{}", to_char(piece.piece), square_text(piece.square)),
                      signed_text(piece.worth), signed_text(piece.square_worth));
    }
}

void print_moves(const Explanation& explained, std::size_t top, Console& console) {
    const auto print = [&](const ExplainedMove& move) {
        console.print("{:<8}{:>+10.3f}{:>10.1f} %{:>+10.1f} %{}\n", move.san, move.score,
                      100 * move.win_probability, 100 * move.change,
                      move.ends_game ? "  (game over)" : "");
    };
    console.print("\n{:<8}{:>10}{:>12}{:>12}\n", "move", "score", "White wins", "change");
    const std::size_t count = explained.moves.size();
    for (std::size_t i = 0; i < std::min(top, count); ++i) print(explained.moves[i]);
    if (count > 2 * top) console.print("...\n");
    for (std::size_t i = std::max(std::min(top, count), count - std::min(top, count)); i < count;
         ++i) {
        print(explained.moves[i]);
    }
}

ExitCode run_explain(const ExplainCommand& command, Console& console) {
    if (auto ok = check_output(command.out, command.picture.existing); !ok)
        return console.error(ok.error());
    const std::string extension = std::filesystem::path(command.out).extension().string();
    if (!command.out.empty() && extension != ".svg" && extension != ".png") {
        return console.error(
            {fmt::format("'{}' names no kind of picture", command.out), "use .svg or .png"});
    }
    const auto position = position_of(command.fen);
    if (!position) return console.error(position.error());
    const auto model = open_model(command.space.model);
    if (!model) return console.error(model.error());
    const Explanation explained = analysis::explain(
        *position, **model, {.threads = static_cast<std::size_t>(command.space.threads)});
    if (auto ok = (*model)->status(); !ok) return console.error(ok.error());
    if (!command.out.empty()) {
        const auto picture = analysis::draw_explanation(
            explained, *position,
            {command.picture.theme, command.arrows, extension == ".png", command.picture.scale});
        if (!picture) return console.error(picture.error());
        const auto written = write_file_atomically(command.out, *picture, command.picture.existing);
        if (!written) return console.error(written.error());
    }
    if (command.json) {
        print_json(console, explained_json(explained, *position));
        return ExitCode::Ok;
    }
    console.print("{}\nprojection {:+.4f}, White wins {:.1f} %, axis distance {:.3f}\n",
                  chess::to_fen(*position), explained.score, 100 * explained.win_probability,
                  explained.axis_distance);
    print_pieces(explained, console);
    print_moves(explained, command.top, console);
    return ExitCode::Ok;
}

}  // namespace

void add_explain(Command& parent, Session& session) {
    const auto options = std::make_shared<ExplainCommand>();
    Command* command = parent.add_subcommand(
        "explain", "what moves a position's projection: pieces, squares, moves");
    add_position_argument(*command, options->fen);
    add_space_options(*command, options->space);
    command->add_option("--out", options->out, "boards as .svg or .png");
    command->add_option("--arrows", options->arrows, "best moves drawn as arrows")
        ->range(0, 20)
        ->capture_default_str();
    command->add_option("--top", options->top, "best and worst moves listed")
        ->range(0, 256)
        ->capture_default_str();
    add_picture_options(*command, options->picture);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_explain(*options, session.console); });
}

}  // namespace solis::cli
