// solis explain: what moves the projection of a position.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/file.h"
#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/atlas/explain_figures.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainCommand {
    std::vector<std::string> fen;
    std::string model;
    std::string out;
    std::string theme = "light";
    double scale = 1;
    std::uint64_t arrows = 3;
    std::uint64_t top = 5;
    int threads = 0;
    Existing existing = Existing::Refuse;
    bool json = false;
};

std::string square_text(chess::Square square) {
    const int at = chess::index(square);
    return {static_cast<char>('a' + at % 8), static_cast<char>('1' + at / 8)};
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json explained_json(const ExplainedPosition& explained, const chess::Position& position) {
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
            {"win_probability", explained.win_probability},
            {"axis_distance", explained.axis_distance},
            {"pieces", std::move(pieces)},
            {"moves", std::move(moves)}};
}

std::string signed_text(const std::optional<double>& value) {
    return value ? fmt::format("{:+.3f}", *value) : "--";
}

void print_pieces(const ExplainedPosition& explained, Console& console) {
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

void print_moves(const ExplainedPosition& explained, std::size_t top, Console& console) {
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
    if (auto ok = check_output(command.out, command.existing); !ok)
        return console.error(ok.error());
    const std::string extension = std::filesystem::path(command.out).extension().string();
    if (!command.out.empty() && extension != ".svg" && extension != ".png") {
        return console.error(
            {fmt::format("'{}' names no kind of picture", command.out), "use .svg or .png"});
    }
    const std::string text = fmt::format("{}", fmt::join(command.fen, " "));
    const auto position = text == "startpos" ? chess::Position::start() : chess::parse_fen(text);
    if (!position) return console.error(position.error());
    const auto model = SpaceModel::open(command.model);
    if (!model) return console.error(model.error());
    ThreadPool pool(static_cast<std::size_t>(command.threads));
    const ExplainedPosition explained = explain_position(*position, *model, pool);
    if (!command.out.empty()) {
        const auto picture =
            explanation_picture(explained, *position, command.theme, command.arrows,
                                extension == ".png", command.scale);
        if (!picture) return console.error(picture.error());
        const auto written = write_file_atomically(command.out, *picture, command.existing);
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
    command->add_option("fen", options->fen, "position as FEN, or 'startpos'")->required();
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--out", options->out, "boards as .svg or .png");
    command->add_option("--arrows", options->arrows, "best moves drawn as arrows")
        ->range(0, 20)
        ->capture_default_str();
    command->add_option("--top", options->top, "best and worst moves listed")
        ->range(0, 256)
        ->capture_default_str();
    command->add_option("--theme", options->theme, "light or dark")
        ->one_of({"light", "dark"})
        ->capture_default_str();
    command->add_option("--scale", options->scale, "pixels of a PNG per pixel of the drawing")
        ->range(0.25, 8)
        ->capture_default_str();
    command->add_option("--threads", options->threads, "0: one per core")->range(0, 1024);
    add_force_flag(*command, options->existing);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_explain(*options, session.console); });
}

}  // namespace solis::cli
