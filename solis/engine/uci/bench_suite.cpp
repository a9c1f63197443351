// The positions of the bench and how they are run.
#include "solis/engine/uci/bench_suite.h"

#include <array>
#include <chrono>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/planner/plan.h"

namespace solis::engine {
namespace {

// Openings, middlegames and endings with many kinds of moves: castling on both sides, en passant,
// promotion, check, a mate, a stalemate trap, Chess960.
constexpr std::array<std::string_view, 12> kPositions{
    chess::kStartFen,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkb1r/pp1p1ppp/2n1pn2/2p5/2P5/2N2NP1/PP1PPP1P/R1BQKB1R w KQkq - 0 5",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 3 9",
    "2r3k1/1q1nbppp/r3p3/3pP3/p1pP4/P1Q2N2/1PRN1PPP/2R4K b - - 1 23",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4PpP1/1BNP4/PPP2P1P/3R1RK1 b - g3 0 14",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k1b5/P4p2/1Pp2p1p/K1P2P1P/8/3B4/8 w - - 0 1",
    "6k1/5pp1/7p/8/8/1Q6/5PPP/3q2K1 w - - 0 1",
    "8/4P1k1/4K3/8/8/8/6p1/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"};

class IgnoreInfo final : public planner::Observer {
    void on_info(const planner::Info&) override {}
};

}  // namespace

BenchResult run_bench(std::shared_ptr<const model::LoadedModel> model, int depth,
                      const planner::Signals& signals,
                      const std::function<void(std::string_view)>& tell) {
    planner::Planner planner(std::move(model));
    planner::Limits limits;
    limits.depth = depth;
    IgnoreInfo ignore;
    BenchResult result;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < kPositions.size(); ++i) {
        planner.clear_hash();
        const chess::Game game(chess::parse_fen(kPositions[i]).value());
        const planner::Plan plan = planner.plan(game, limits, ignore, signals);
        if (signals.stopped()) {
            result.stopped = true;
            break;
        }
        result.nodes += plan.effort.nodes;
        result.embedded += plan.effort.embedded;
        tell(fmt::format("Position {:2}/{}: {:8} nodes  {}", i + 1, kPositions.size(),
                         plan.effort.nodes, kPositions[i]));
    }
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    result.milliseconds = static_cast<std::uint64_t>(time.count());
    return result;
}

}  // namespace solis::engine
