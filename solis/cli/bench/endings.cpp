// solis bench endings: whether the plan wins what is won, without tablebases.
#include <array>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/rng.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/play_on.h"
#include "solis/chess/random_positions.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/model/open.h"
#include "solis/planner/plan.h"

namespace solis::cli {
namespace {

struct BenchEndingsOptions {
    std::string model;
    int starts = 100;
    int cpu_ms = 50;
    std::uint64_t nodes = 0;
    std::uint64_t seed = 1;
    std::vector<std::string> endings{"Q", "R", "BB", "QPP"};
    bool show_draws = false;
    bool json = false;
};

struct EndingTally {
    int mates = 0;
    int draws = 0;
    int plies = 0;  // of the games that ended in mate
};

bool is_plausible(const std::string& pieces) {
    return !pieces.empty() && pieces.size() <= 6 &&
           pieces.find_first_not_of("QRBNP") == std::string::npos;
}

// White has the king and `pieces`, Black the king; White is to move and nothing hangs at once.
// Two bishops stand on squares of both colours.
chess::Position random_ending(const std::string& pieces, Rng& rng) {
    for (;;) {
        chess::Setup setup = chess::random_placement(pieces, rng);
        chess::Bitboard bishops = 0;
        for (int i = 0; i < 64; ++i) {
            if (setup.board[static_cast<std::size_t>(i)] == chess::Piece::WhiteBishop) {
                bishops |= chess::bit(chess::square_at(i));
            }
        }
        if (chess::more_than_one(bishops) &&
            ((bishops & chess::kDarkSquares) == 0 || (bishops & ~chess::kDarkSquares) == 0)) {
            continue;
        }
        setup.side_to_move = chess::Color::Black;
        const auto with_black = chess::Position::from(setup);
        if (!with_black || with_black->in_check() || !chess::legal_captures(*with_black).empty()) {
            continue;
        }
        setup.side_to_move = chess::Color::White;
        if (auto position = chess::Position::from(setup)) return *position;
    }
}

// The start and the moves, as an engine takes them.
void show(const chess::Game& game, const chess::Outcome& end, Console& console) {
    std::string text =
        fmt::format("{}: position fen {} moves", name_of(end.reason), chess::to_fen(game.start()));
    for (std::size_t i = 0; i < game.moves().size(); ++i) {
        text += ' ' + chess::to_uci(game.positions()[i], game.moves()[i],
                                    chess::CastlingNotation::Automatic);
    }
    console.note("{}", text);
}

EndingTally play_endings(planner::Planner& planner, const std::string& pieces,
                         const BenchEndingsOptions& options, Console& console) {
    Rng rng(Seed{options.seed});
    planner::Limits limits;
    limits.count_cpu_time = true;
    if (options.nodes > 0) {
        limits.embeddings = options.nodes;
    } else {
        limits.movetime = planner::Milliseconds(options.cpu_ms);
    }
    EndingTally tally;
    for (int i = 0; i < options.starts; ++i) {
        chess::Game game(random_ending(pieces, rng));
        planner.clear_hash();
        const auto end = chess::play_on(game, [&](const chess::Game& so_far) {
            return std::optional(planner.plan(so_far, limits).best());
        });
        if (end->winner) {
            ++tally.mates;
            tally.plies += static_cast<int>(game.moves().size());
        } else {
            ++tally.draws;
            if (options.show_draws) show(game, *end, console);
        }
    }
    return tally;
}

ExitCode run_bench_endings(const BenchEndingsOptions& options, Console& console) {
    for (const std::string& pieces : options.endings) {
        if (is_plausible(pieces)) continue;
        return console.error({fmt::format("'{}' is no ending", pieces),
                              "give White's pieces, for example Q, R, BB or QPP"},
                             ExitCode::Usage);
    }
    const auto model = model::open(options.model);
    if (!model) return console.error(model.error());
    planner::Settings settings;
    settings.hash_megabytes = 16;
    settings.move_overhead = planner::Milliseconds(0);
    planner::Planner planner(*model, settings);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    int won = 0;
    for (const std::string& pieces : options.endings) {
        const EndingTally tally = play_endings(planner, pieces, options, console);
        won += tally.mates;
        const double moves = tally.mates == 0 ? 0 : tally.plies / 2.0 / tally.mates;
        rows.push_back({{"ending", "K" + pieces + "K"},
                        {"starts", options.starts},
                        {"mates", tally.mates},
                        {"draws", tally.draws},
                        {"mean_moves", moves}});
        if (!options.json) {
            console.print("K{:<8} {:>4} of {} won, {:.1f} moves on average\n", pieces + "K",
                          tally.mates, options.starts, moves);
        }
    }
    const double ratio =
        won / static_cast<double>(options.starts) / static_cast<double>(options.endings.size());
    if (options.json) {
        print_json(console, {{"benchmark", "endings"}, {"rows", rows}, {"ratio", ratio}});
    } else {
        console.print("ratio {:.2f}  games won to games that are won\n", ratio);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_bench_endings(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchEndingsOptions>();
    Command* command = parent.add_subcommand(
        "endings", "mates within the 50-move rule from random won endings, without tablebases");
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--endings", options->endings, "White's pieces besides the king")
        ->capture_default_str();
    command->add_option("--starts", options->starts, "random starts of each ending")
        ->range(1, 100'000)
        ->capture_default_str();
    command->add_option("--cpu-ms", options->cpu_ms, "CPU time per move, both sides")
        ->range(1, 100'000)
        ->capture_default_str();
    command->add_option("--nodes", options->nodes, "positions embedded per move, instead of time");
    command->add_option("--seed", options->seed, "of the starts")->capture_default_str();
    command->add_flag("--show-draws", options->show_draws,
                      "tell the games that were not won, on stderr");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_endings(*options, session.console); });
}

}  // namespace solis::cli
