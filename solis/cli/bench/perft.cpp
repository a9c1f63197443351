// solis bench perft: our move generator beside Stockfish's, same positions, one thread each.
// CPU time, not the clock on the wall, so that other work on the machine disturbs less.
#include "solis/chess/perft.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/cpu_time.h"
#include "solis/chess/fen.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/engine/client/find_engine.h"
#include "solis/engine/client/uci_client.h"

namespace solis::cli {
namespace {

struct BenchPerftOptions {
    std::string engine;
    int repeats = 5;
    bool json = false;
};

struct PerftCase {
    const char* fen;
    int depth;
};

// The positions everybody knows: start, Kiwipete, a pawn endgame, promotions, middle games.
constexpr std::array<PerftCase, 6> kCases{{
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5},
}};

constexpr std::chrono::milliseconds kPerftLimit{120'000};

// Best times, in seconds.
struct CaseTimes {
    std::uint64_t nodes = 0;
    double lists = std::numeric_limits<double>::max();
    double counting = std::numeric_limits<double>::max();
    double stockfish = std::numeric_limits<double>::max();
};

struct Timed {
    std::uint64_t nodes;
    double seconds;
};

Timed time_ours(const chess::Position& position, int depth, chess::LeafCount leaves) {
    const double start = thread_cpu_seconds();
    const std::uint64_t nodes = chess::perft(position, depth, leaves);
    return {nodes, thread_cpu_seconds() - start};
}

Result<Timed> time_engine(engine::UciClient& client, const chess::Position& position, int depth) {
    client.position(position);
    if (auto ready = client.wait_ready(); !ready) return tl::unexpected(ready.error());
    std::uint64_t nodes = 0;
    const auto is_total = [&](std::string_view line) {
        constexpr std::string_view kTotal = "Nodes searched: ";
        if (!line.starts_with(kTotal)) return false;
        nodes = std::strtoull(std::string(line.substr(kTotal.size())).c_str(), nullptr, 10);
        return true;
    };
    const std::chrono::duration<double> start = client.cpu_time();
    client.send(fmt::format("go perft {}", depth));
    if (auto done = client.wait_line(is_total, kPerftLimit, "a perft count"); !done) {
        return tl::unexpected(done.error());
    }
    return Timed{nodes, (client.cpu_time() - start).count()};
}

// One round over one position; keeps the best times.
Result<void> measure(const PerftCase& test, engine::UciClient& client, CaseTimes& times) {
    const auto position = chess::parse_fen(test.fen);
    if (!position) return tl::unexpected(position.error());
    const Timed lists = time_ours(*position, test.depth, chess::LeafCount::Lists);
    const auto theirs = time_engine(client, *position, test.depth);
    if (!theirs) return tl::unexpected(theirs.error());
    const Timed counting = time_ours(*position, test.depth, chess::LeafCount::Bulk);
    if (lists.nodes != theirs->nodes || counting.nodes != theirs->nodes) {
        return fail(fmt::format("perft {} of '{}': {} by lists, {} by counting, but {} says {}",
                                test.depth, test.fen, lists.nodes, counting.nodes, client.name(),
                                theirs->nodes));
    }
    times.nodes = lists.nodes;
    times.lists = std::min(times.lists, lists.seconds);
    times.counting = std::min(times.counting, counting.seconds);
    times.stockfish = std::min(times.stockfish, theirs->seconds);
    return {};
}

CaseTimes sum(const std::vector<CaseTimes>& all) {
    CaseTimes total{0, 0, 0, 0};
    for (const CaseTimes& times : all) {
        total.nodes += times.nodes;
        total.lists += times.lists;
        total.counting += times.counting;
        total.stockfish += times.stockfish;
    }
    return total;
}

double million_per_second(const CaseTimes& times, double seconds) {
    return static_cast<double>(times.nodes) / seconds / 1e6;
}

void report_text(const std::vector<CaseTimes>& all, const std::string& peer, Console& console) {
    const auto line = [&](const std::string& name, const CaseTimes& times) {
        console.print("{:<28} {:>10.1f} {:>10.1f} {:>12.1f} {:>8.2f} {:>9.2f}\n", name,
                      million_per_second(times, times.lists),
                      million_per_second(times, times.counting),
                      million_per_second(times, times.stockfish), times.stockfish / times.lists,
                      times.stockfish / times.counting);
    };
    console.print("{:<28} {:>10} {:>10} {:>12} {:>8} {:>9}\n", "million nodes/s", "lists",
                  "counting", "Stockfish", "lists x", "counting x");
    for (std::size_t i = 0; i < all.size(); ++i) {
        line(fmt::format("{:.22} {}", kCases[i].fen, kCases[i].depth), all[i]);
    }
    const CaseTimes total = sum(all);
    line("all", total);
    console.print("ratio {:.2f}  lists of moves, as {} does it\n", total.stockfish / total.lists,
                  peer);
    console.print("ratio {:.2f}  last ply counted without lists\n",
                  total.stockfish / total.counting);
}

void report_json(const std::vector<CaseTimes>& all, const std::string& peer, Console& console) {
    const CaseTimes total = sum(all);
    print_json(console,
               {{"benchmark", "perft"},
                {"peer", peer},
                {"nodes", total.nodes},
                {"lists_nodes_per_second", 1e6 * million_per_second(total, total.lists)},
                {"counting_nodes_per_second", 1e6 * million_per_second(total, total.counting)},
                {"peer_nodes_per_second", 1e6 * million_per_second(total, total.stockfish)},
                {"ratio", total.stockfish / total.lists},
                {"counting_ratio", total.stockfish / total.counting}});
}

ExitCode run_bench_perft(const BenchPerftOptions& options, Console& console) {
    const auto path =
        options.engine.empty() ? engine::find_stockfish() : engine::find_engine(options.engine);
    if (!path) return console.error(path.error());
    engine::EngineSpec spec;
    spec.command = {*path};
    auto client = engine::UciClient::start(spec);
    if (!client) return console.error(client.error());

    std::vector<CaseTimes> all(kCases.size());
    for (int round = 0; round < options.repeats; ++round) {
        for (std::size_t i = 0; i < kCases.size(); ++i) {
            if (auto done = measure(kCases[i], *client, all[i]); !done) {
                return console.error(done.error());
            }
        }
    }
    if (options.json) {
        report_json(all, client->name(), console);
    } else {
        report_text(all, client->name(), console);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_bench_perft(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchPerftOptions>();
    Command* command =
        parent.add_subcommand("perft", "move generation beside Stockfish, one thread each");
    command->add_option("--engine", options->engine,
                        "peer with 'go perft' (default: the installed Stockfish)");
    command->add_option("--repeats", options->repeats, "rounds, the best of which counts")
        ->range(1, 100)
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_perft(*options, session.console); });
}

}  // namespace solis::cli
