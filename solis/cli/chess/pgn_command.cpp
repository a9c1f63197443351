// solis pgn: checks, counts and converts the games of a PGN file.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/progress.h"
#include "solis/chess/fen.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/chess/pgn_report.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

using chess::PgnGame;
using chess::PgnNode;
using chess::PgnOutcome;
using chess::PgnReader;
using Json = nlohmann::ordered_json;

struct PgnOptions {
    std::string file;
    bool json = false;
    std::size_t every = 1;
    bool unique = false;
    bool with_moves = false;
    std::string player;
    std::string result;
};

// Plain size of the file, 0 where it says nothing about the text: stdin, zstd.
std::uint64_t text_size(const std::string& path) {
    std::error_code error;
    if (path == "-" || path.ends_with(".zst")) return 0;
    const auto size = std::filesystem::file_size(path, error);
    return error ? 0 : size;
}

struct Seen {
    std::uint64_t games = 0;
    std::uint64_t broken = 0;
};

using OnGame = std::function<void(const PgnGame&, const PgnReader&)>;
using OnBroken = std::function<void(const PgnReader&)>;

// Calls back for each game of the file, broken or not.
Result<Seen> for_each_game(const std::string& path, Console& console, const OnGame& on_game,
                           const OnBroken& on_broken) {
    const auto source = open_input(path);
    if (!source) return tl::unexpected(source.error());
    Progress progress(console, "reading", text_size(path), "bytes");
    PgnReader reader(**source);
    PgnGame game;
    Seen seen;
    for (;;) {
        const auto outcome = reader.next(game);
        if (!outcome) return tl::unexpected(outcome.error());
        if (*outcome == PgnOutcome::End) return seen;
        if (*outcome == PgnOutcome::Broken) {
            ++seen.broken;
            progress.clear();
            on_broken(reader);
        } else {
            ++seen.games;
            on_game(game, reader);
        }
        progress.update(reader.bytes());
    }
}

std::string at_file(const std::string& path, const std::string& message) {
    return fmt::format("{}: {}", path == "-" ? "standard input" : path, message);
}

// What the commands do that want the good games: broken ones are warnings and set the exit code.
Result<ExitCode> run_over_games(const PgnOptions& options, Console& console,
                                const OnGame& on_game) {
    const auto seen = for_each_game(options.file, console, on_game, [&](const PgnReader& reader) {
        console.warn(at_file(options.file, reader.error().message) + " (game skipped)");
    });
    if (!seen) return tl::unexpected(seen.error());
    return seen->broken == 0 ? ExitCode::Ok : ExitCode::Failed;
}

ExitCode run_check(const PgnOptions& options, Console& console) {
    std::uint64_t moves = 0, differing = 0;
    Json broken = Json::array();
    const auto count = [&](const PgnGame& game, const PgnReader& reader) {
        moves += game.nodes().size() - 1;
        if (!reader.results_differ()) return;
        ++differing;
        if (!options.json) {
            console.warn(at_file(options.file, fmt::format("the game in line {} has other results "
                                                           "in its tags and after its moves",
                                                           reader.line())));
        }
    };
    const auto report = [&](const PgnReader& reader) {
        if (options.json) {
            broken.push_back({{"line", reader.line()}, {"error", reader.error().message}});
        } else {
            console.error({at_file(options.file, reader.error().message), reader.error().hint});
        }
    };
    const auto seen = for_each_game(options.file, console, count, report);
    if (!seen) return console.error(seen.error());
    if (options.json) {
        print_json(console, {{"games", seen->games},
                             {"moves", moves},
                             {"differing_results", differing},
                             {"broken", broken}});
    } else {
        console.print("{} games, {} moves, {} broken games\n", seen->games, moves, seen->broken);
    }
    return seen->broken == 0 ? ExitCode::Ok : ExitCode::Failed;
}

ExitCode run_stats(const PgnOptions& options, Console& console) {
    chess::PgnStats stats;
    const auto code = run_over_games(
        options, console,
        [&](const PgnGame& game, const PgnReader& reader) { stats.add(game, reader); });
    if (!code) return console.error(code.error());
    if (options.json) {
        print_json(console, pgn_stats_json(stats));
    } else {
        print_pgn_stats(stats, console);
    }
    return *code;
}

void print_position(const PgnOptions& options, Console& console, const chess::Position& position,
                    chess::Move played) {
    const std::string fen = chess::to_fen(position);
    const std::string move =
        options.with_moves && !played.is_none() ? chess::to_uci(position, played) : "";
    if (options.json) {
        Json line{{"fen", fen}};
        if (!move.empty()) line["move"] = move;
        print_json(console, line);
    } else {
        console.print("{}{}{}\n", fen, move.empty() ? "" : "\t", move);
    }
}

void print_positions(const PgnOptions& options, Console& console, const PgnGame& game,
                     std::unordered_set<std::uint64_t>& known) {
    chess::Position position = game.start();
    std::size_t ply = 0;
    for (std::uint32_t next = game.node(0).next;; next = game.node(next).next, ++ply) {
        const bool last = next == PgnNode::kNone;
        const chess::Move played = last ? chess::Move() : game.node(next).move;
        const bool wanted =
            ply % options.every == 0 && (!options.unique || known.insert(position.key()).second);
        if (wanted) print_position(options, console, position, played);
        if (last) return;
        position = position.after(played);
    }
}

ExitCode run_fens(const PgnOptions& options, Console& console) {
    std::unordered_set<std::uint64_t> known;
    const auto code = run_over_games(options, console, [&](const PgnGame& game, const PgnReader&) {
        print_positions(options, console, game, known);
    });
    return code ? *code : console.error(code.error());
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether `text` contains `part`, whatever the case of ASCII letters.
bool contains_name(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

bool is_wanted(const PgnGame& game, const PgnOptions& options) {
    const bool plays = contains_name(game.tag("White").value_or(""), options.player) ||
                       contains_name(game.tag("Black").value_or(""), options.player);
    return plays && (options.result.empty() || to_string(game.result()) == options.result);
}

void print_game(const PgnOptions& options, Console& console, const PgnGame& game,
                std::uint64_t number, std::uint64_t line) {
    if (options.json) {
        Json report{{"game", number}, {"line", line}, {"tags", Json::object()}};
        for (std::size_t i = 0; i < game.tag_count(); ++i) {
            report["tags"][std::string(game.tag(i).name)] = game.tag(i).value;
        }
        report["result"] = to_string(game.result());
        report["plies"] = game.ply_count();
        print_json(console, report);
        return;
    }
    const auto tag = [&](std::string_view name) { return game.tag(name).value_or("?"); };
    console.print("{:>6}  line {:<8} {:<7}  {:>3} plies  {} - {}  {}, {}\n", number, line,
                  to_string(game.result()), game.ply_count(), tag("White"), tag("Black"),
                  tag("Event"), tag("Date"));
}

ExitCode run_games(const PgnOptions& options, Console& console) {
    std::uint64_t number = 0;
    const auto code =
        run_over_games(options, console, [&](const PgnGame& game, const PgnReader& reader) {
            ++number;
            if (is_wanted(game, options)) {
                print_game(options, console, game, number, reader.line());
            }
        });
    return code ? *code : console.error(code.error());
}

using PgnAction = ExitCode (*)(const PgnOptions&, Console&);

Command* add_action(Command& pgn, Session& session, const char* name, const char* description,
                    PgnAction run, const std::shared_ptr<PgnOptions>& options) {
    Command* action = pgn.add_subcommand(name, description);
    action->add_option("file", options->file, "PGN file, also .zst; '-' is standard input")
        ->required();
    add_json_flag(*action, options->json);
    action->callback(
        [options, run, &session] { session.exit_code = run(*options, session.console); });
    return action;
}

}  // namespace

void add_pgn(Command& parent, Session& session) {
    const auto options = std::make_shared<PgnOptions>();
    Command* pgn = parent.add_subcommand("pgn", "check, count and convert games");
    pgn->require_subcommand();
    add_action(*pgn, session, "check", "legality of every move; exit 1 if a game is broken",
               run_check, options);
    add_action(*pgn, session, "stats", "results, lengths, ratings, openings, annotations",
               run_stats, options);
    Command* fens =
        add_action(*pgn, session, "fens", "every position of the main lines", run_fens, options);
    fens->add_option("--every", options->every, "only every N-th position of a game")
        ->range(1, 1000000);
    fens->add_flag("--unique", options->unique, "each position once, counters aside");
    fens->add_flag("--with-moves", options->with_moves, "and the move played there (UCI)");
    Command* games = add_action(*pgn, session, "games", "one line per game", run_games, options);
    games->add_option("--player", options->player, "only games where a name contains this");
    games->add_option("--result", options->result, "only games with this result")
        ->one_of({"1-0", "0-1", "1/2-1/2", "*"});
}

}  // namespace solis::cli
