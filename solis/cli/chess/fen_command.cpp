// solis fen: checks positions and shows what follows from them.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/byte_source.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"
#include "solis/cli/analyze/board_view.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

struct FenOptions {
    std::vector<std::string> fens;
    std::string file;
    bool board = false;
    bool shredder = false;
    bool details = false;
    bool json = false;
};

std::string fen_text(const chess::Position& position, const FenOptions& options) {
    return chess::to_fen(
        position, options.shredder ? chess::CastlingFen::Shredder : chess::CastlingFen::XFen);
}

// "checkmate", "fifty-move rule (claimable)" ...; "in play" where the game goes on.
std::string status_text(const chess::Position& position) {
    const auto end = chess::outcome(position, chess::Claims::Counted);
    if (!end) return "in play";
    const std::string name(chess::name_of(end->reason));
    return chess::needs_claim(end->reason) ? name + " (claimable)" : name;
}

nlohmann::ordered_json json_report(const chess::Position& position, const FenOptions& options) {
    nlohmann::ordered_json report{
        {"fen", fen_text(position, options)},
        {"key", fmt::format("{:016x}", position.key())},
        {"side_to_move", position.side_to_move() == chess::Color::White ? "white" : "black"},
        {"in_check", position.in_check()},
        {"legal_moves", chess::count_legal_moves(position)},
        {"chess960", position.needs_chess960_castling()},
        {"status", status_text(position)}};
    for (const chess::Color c : {chess::Color::White, chess::Color::Black}) {
        report["can_mate"][c == chess::Color::White ? "white" : "black"] =
            chess::can_mate(position, c);
    }
    return report;
}

void report(const chess::Position& position, const FenOptions& options, Console& console) {
    if (options.json) {
        print_json(console, json_report(position, options));
        return;
    }
    console.print("{}\n", fen_text(position, options));
    if (options.board) print_board(position, console);
    if (!options.details && !options.board) return;
    console.print("key    {:016x}\n", position.key());
    console.print("side   {}{}\n", chess::name_of(position.side_to_move()),
                  position.in_check() ? ", in check" : "");
    console.print("moves  {}\n", chess::count_legal_moves(position));
    console.print("status {}\n", status_text(position));
}

// Reports one position; the error says where it came from.
ExitCode check_one(std::string_view text, std::string_view origin, const FenOptions& options,
                   Console& console) {
    const auto position = chess::parse_fen(text);
    if (position) {
        report(*position, options, console);
        return ExitCode::Ok;
    }
    if (origin.empty()) return console.error(position.error());
    return console.error(fail_in(origin, position.error()).value());
}

ExitCode check_lines(const FenOptions& options, Console& console) {
    const auto source = open_input(options.file);
    if (!source) return console.error(source.error());
    LineReader lines(**source);
    ExitCode code = ExitCode::Ok;
    std::string_view line;
    for (;;) {
        const auto more = lines.next(line);
        if (!more) return console.error(more.error());
        if (!*more) return code;
        if (line.empty() || line.front() == '#') continue;
        const std::string origin = fmt::format("{}:{}", options.file, lines.line_number());
        if (check_one(line, origin, options, console) != ExitCode::Ok) code = ExitCode::Failed;
    }
}

ExitCode run_fen(const FenOptions& options, Console& console) {
    if (options.fens.empty() && options.file.empty()) {
        return console.error(
            {"no position given", "solis fen FEN..., or --file PATH ('-' is stdin)"},
            ExitCode::Usage);
    }
    ExitCode code = ExitCode::Ok;
    for (const std::string& text : options.fens) {
        const std::string_view fen = text == "startpos" ? chess::kStartFen : text;
        if (check_one(fen, {}, options, console) != ExitCode::Ok) code = ExitCode::Failed;
    }
    if (options.file.empty()) return code;
    const ExitCode file_code = check_lines(options, console);
    return file_code == ExitCode::Ok ? code : file_code;
}

}  // namespace

void add_fen(Command& parent, Session& session) {
    const auto options = std::make_shared<FenOptions>();
    Command* command = parent.add_subcommand("fen", "check positions and print them normalised");
    command->add_option("fen", options->fens, "positions, each as one argument; or 'startpos'");
    command->add_option("--file", options->file, "one position per line; '-' is standard input");
    command->add_flag("--details", options->details, "also key, side, moves and status");
    command->add_flag("--board", options->board, "draw the board; implies --details");
    command->add_flag("--shredder", options->shredder, "castling rights as rook files (HAha)");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_fen(*options, session.console); });
}

}  // namespace solis::cli
