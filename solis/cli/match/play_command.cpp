// solis play: one game between two engines, move by move.
#include <atomic>
#include <memory>
#include <stop_token>
#include <thread>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/base/interrupt.h"
#include "solis/chess/fen.h"
#include "solis/chess/san.h"
#include "solis/cli/analyze/board_view.h"
#include "solis/cli/commands.h"
#include "solis/cli/own_program.h"
#include "solis/lab/match/match_pgn.h"
#include "solis/lab/match/play_game.h"

namespace solis::cli {
namespace {

struct PlayOptions {
    std::string white;
    std::string black;
    std::string fen = "startpos";
    std::string pgn;
    Existing existing = Existing::Refuse;
    bool board = false;
};

Result<lab::Seat> make_seat(const std::string& text, const std::stop_token& stop) {
    auto player = lab::parse_player(text);
    if (!player) return tl::unexpected(player.error());
    if (!player->limits.any()) player->limits.movetime = std::chrono::milliseconds(100);
    auto engine = lab::to_engine(*player, own_program());
    if (!engine) return tl::unexpected(engine.error());
    if (player->name.empty()) player->name = player->program;
    return lab::Seat(std::move(*player), std::move(*engine), lab::TimeRules(), stop);
}

// "+0.31", "#-4", from White's point of view.
std::string score_text(data::Score score, chess::Color mover) {
    if (score.is_none()) return "";
    const int value = mover == chess::Color::White ? score.value() : score.negated().value();
    if (!score.is_mate()) return fmt::format("{:+.2f}", value / 100.0);
    const int moves = data::Score::kMate - std::abs(value);
    return fmt::format("#{}{}", value < 0 ? "-" : "", moves);
}

// Both moves of a number on one line.
void print_move(const chess::Position& before, const lab::PlayedMove& move, bool first,
                Console& console) {
    const chess::Color mover = before.side_to_move();
    const bool white = mover == chess::Color::White;
    if (white) {
        console.print("{:3}. ", before.fullmove_number());
    } else if (first) {
        console.print("{:3}. {:<20}", before.fullmove_number(), "...");
    }
    const std::string san = chess::to_san(before, move.move);
    console.print("{:<8}{:>7} {:<4}{}", san, score_text(move.score, mover),
                  fmt::format("/{}", move.depth), white ? " " : "\n");
    std::fflush(stdout);
}

// Plays on a thread of its own while this one watches for Ctrl-C. None where it came.
std::optional<lab::GameRecord> play_until_interrupted(const chess::Position& start,
                                                      lab::Seat& white, lab::Seat& black,
                                                      std::stop_source& stop,
                                                      const lab::MoveWatcher& watch,
                                                      InterruptWatch& interrupt) {
    std::optional<lab::GameRecord> record;
    std::atomic<bool> ended{false};
    std::jthread game([&] {
        record = lab::play_game({start, {}}, white, black, lab::Adjudicator({}, nullptr),
                                stop.get_token(), watch);
        ended = true;
    });
    while (!ended) {
        if (interrupt.requested()) stop.request_stop();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    game.join();
    return record;
}

ExitCode run_play(const PlayOptions& options, Console& console) {
    if (auto ok = check_output(options.pgn, options.existing); !ok)
        return console.error(ok.error());
    const auto start =
        options.fen == "startpos" ? chess::Position::start() : chess::parse_fen(options.fen);
    if (!start) return console.error(start.error());
    InterruptWatch interrupt;
    std::stop_source stop;
    auto white = make_seat(options.white, stop.get_token());
    if (!white) return console.error(white.error());
    auto black = make_seat(options.black, stop.get_token());
    if (!black) return console.error(black.error());
    console.print("{} - {}\n", white->name(), black->name());
    chess::Position last = *start;
    bool first = true;
    if (options.board) print_board(*start, console);
    const auto watch = [&](const chess::Position& before, const lab::PlayedMove& move) {
        print_move(before, move, std::exchange(first, false) || options.board, console);
        last = before.after(move.move);
        if (!options.board) return;
        if (before.side_to_move() == chess::Color::White) console.print("\n");
        print_board(last, console);
        std::fflush(stdout);
    };
    const auto record = play_until_interrupted(*start, *white, *black, stop, watch, interrupt);
    if (last.side_to_move() == chess::Color::Black && !options.board) console.print("\n");
    if (!options.board) print_board(last, console);
    if (!record) {
        console.print("*  interrupted\n");
        if (!options.pgn.empty()) console.note("an unfinished game is not written to a file");
        return ExitCode::Interrupted;
    }
    console.print("{}  {}\n", to_string(record->result), lab::name_of(record->ending));
    if (!record->note.empty()) console.note("{}", record->note);
    if (!options.pgn.empty()) {
        std::string text;
        lab::append_pgn(text, *record, {});
        if (auto ok = write_file_atomically(options.pgn, text, options.existing); !ok)
            return console.error(ok.error());
    }
    return record->at_fault ? ExitCode::Failed : ExitCode::Ok;
}

}  // namespace

void add_play(Command& parent, Session& session) {
    const auto options = std::make_shared<PlayOptions>();
    Command* command = parent.add_subcommand("play", "watch one game between two engines");
    command->add_option("white", options->white, "for example 'solis,st=0.1'; see 'match --help'")
        ->required();
    command->add_option("black", options->black, "the same; 100 ms per move where nothing is said")
        ->required();
    command->add_option("--fen", options->fen, "where the game begins")->capture_default_str();
    command->add_option("--pgn", options->pgn, "write the game to this file");
    add_force_flag(*command, options->existing);
    command->add_flag("--board", options->board,
                      "draw the board after every move, not only at the end");
    command->callback(
        [options, &session] { session.exit_code = run_play(*options, session.console); });
}

}  // namespace solis::cli
