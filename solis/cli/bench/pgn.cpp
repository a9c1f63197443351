// solis bench pgn: how fast PGN is read with every move checked, on one core.
#include <memory>

#include <nlohmann/json.hpp>

#include "solis/base/cpu_time.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"
#include "solis/chess/random_game.h"
#include "solis/cli/bench/benchmarks.h"

namespace solis::cli {
namespace {

// No peer is packaged for Debian, so the figure stands against a fixed one.
constexpr double kTarget = 50;  // MB/s

struct PgnBenchOptions {
    std::size_t megabytes = 64;
    std::uint64_t seed = 1;
    int rounds = 3;
    bool json = false;
};

struct PgnSpeed {
    std::string name;
    std::size_t bytes = 0;
    std::size_t games = 0;
    std::size_t moves = 0;
    double seconds = 0;  // CPU time of the fastest round

    [[nodiscard]] double megabytes_per_second() const {
        return static_cast<double>(bytes) / 1e6 / seconds;
    }
};

std::string make_pgn(const PgnBenchOptions& options, bool annotated) {
    Rng rng(Seed{options.seed});
    chess::RandomGameOptions style;
    style.evals_and_clocks = annotated;
    chess::PgnGame game;
    std::string text;
    const std::size_t wanted = options.megabytes * 1'000'000;
    text.reserve(wanted + 100'000);
    while (text.size() < wanted) {
        chess::make_random_game(rng, style, game);
        chess::append_pgn(text, game);
    }
    return text;
}

Result<void> read_once(const std::string& text, PgnSpeed& measured) {
    const auto source = memory_source(text);
    measured.games = measured.moves = 0;
    const double start = thread_cpu_seconds();
    chess::PgnReader reader(*source);
    chess::PgnGame game;
    for (;;) {
        const auto outcome = reader.next(game);
        if (!outcome) return tl::unexpected(outcome.error());
        if (*outcome == chess::PgnOutcome::End) break;
        if (*outcome == chess::PgnOutcome::Broken) return tl::unexpected(reader.error());
        ++measured.games;
        measured.moves += game.nodes().size() - 1;
    }
    const double elapsed = thread_cpu_seconds() - start;
    if (measured.seconds == 0 || elapsed < measured.seconds) measured.seconds = elapsed;
    return {};
}

Result<PgnSpeed> measure(const PgnBenchOptions& options, bool annotated) {
    const std::string text = make_pgn(options, annotated);
    PgnSpeed measured;
    measured.name = annotated ? "with evals and clocks" : "moves only";
    measured.bytes = text.size();
    for (int round = 0; round < options.rounds; ++round) {
        if (auto done = read_once(text, measured); !done) return tl::unexpected(done.error());
    }
    return measured;
}

nlohmann::ordered_json to_json(const PgnSpeed& m) {
    return {{"input", m.name},
            {"bytes", m.bytes},
            {"games", m.games},
            {"moves", m.moves},
            {"seconds", m.seconds},
            {"megabytes_per_second", m.megabytes_per_second()},
            {"games_per_second", static_cast<double>(m.games) / m.seconds},
            {"moves_per_second", static_cast<double>(m.moves) / m.seconds},
            {"target_megabytes_per_second", kTarget},
            {"ratio", m.megabytes_per_second() / kTarget}};
}

void print(const PgnSpeed& m, Console& console) {
    console.print(
        "pgn, {}: {:.0f} MB/s per core, {:.0f} games/s, {:.2f} million moves/s, {:.0f} ns/move\n",
        m.name, m.megabytes_per_second(), static_cast<double>(m.games) / m.seconds,
        static_cast<double>(m.moves) / m.seconds / 1e6,
        1e9 * m.seconds / static_cast<double>(m.moves));
    console.print("  target {:.0f} MB/s, ratio {:.2f} (no peer in Debian)\n", kTarget,
                  m.megabytes_per_second() / kTarget);
}

ExitCode run_bench_pgn(const PgnBenchOptions& options, Console& console) {
    nlohmann::ordered_json report = nlohmann::ordered_json::array();
    for (const bool annotated : {false, true}) {
        const auto measured = measure(options, annotated);
        if (!measured) return console.error(measured.error());
        if (options.json) {
            report.push_back(to_json(*measured));
        } else {
            print(*measured, console);
        }
    }
    if (options.json) print_json(console, report);
    return ExitCode::Ok;
}

}  // namespace

void add_bench_pgn(Command& parent, Session& session) {
    const auto options = std::make_shared<PgnBenchOptions>();
    Command* command =
        parent.add_subcommand("pgn", "read PGN with every move checked, on one core");
    command->add_option("--megabytes", options->megabytes, "size of each input")
        ->range(1, 2000)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of the random games")->capture_default_str();
    command->add_option("--rounds", options->rounds, "the fastest counts")
        ->range(1, 100)
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_pgn(*options, session.console); });
}

}  // namespace solis::cli
