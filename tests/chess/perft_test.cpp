// Move generation against published node counts. The Chess960 counts without a published source
// were made with Stockfish (UCI_Chess960, go perft).
#include "solis/chess/perft.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"

namespace solis::chess {
namespace {

#ifdef SOLIS_SANITIZED
constexpr std::uint64_t kMostNodes = 1'000'000;
#else
constexpr std::uint64_t kMostNodes = 250'000'000;
#endif

struct PerftLine {
    std::string_view fen;
    std::vector<std::uint64_t> nodes;  // at depth 1, 2, ...
};

const std::vector<PerftLine> kStandard{
    {kStartFen, {20, 400, 8902, 197281, 4865609, 119060324}},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
     {48, 2039, 97862, 4085603, 193690690}},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238, 674624, 11030083}},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
     {6, 264, 9467, 422333, 15833292}},
    {"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
     {6, 264, 9467, 422333, 15833292}},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
     {44, 1486, 62379, 2103487, 89941194}},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
     {46, 2079, 89890, 3894594, 164075551}},
};

const std::vector<PerftLine> kChess960{
    {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
     {21, 528, 12189, 326672, 8146062}},
    {"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
     {21, 807, 18002, 667366, 16253601}},
    {"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
     {20, 479, 10471, 273318, 6417013}},
    {"qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
     {22, 593, 13440, 382958, 9183776}},
    {"1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
     {28, 1120, 31058, 1171749, 34030312}},
    {"1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
     {29, 502, 14569, 287739, 8652810}},
    {"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1", {24, 576, 13446, 313835, 7201079}},
    {"4k3/8/8/8/8/8/8/qRK4R w HB - 0 1", {16, 265, 5087, 106265, 2181698}},
    {"r1r3k1/8/8/8/8/8/8/1RK2R2 w FBa - 0 1", {3, 66, 1315, 31600, 701753}},
    {"r3k2r/8/8/8/8/8/8/1R2KR2 w FBha - 0 1", {25, 534, 13222, 300552, 7502812}},
};

// One rule at a time, so that a failure says which (most are by Martin Sedlak).
struct RuleCase {
    std::string_view fen;
    int depth;
    std::uint64_t nodes;
};

const std::vector<RuleCase> kSingleRules{
    // en passant: illegal along the rank, illegal along the diagonal, as the only answer to check
    {"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888},
    {"8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 6, 1038514},
    {"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1440467},
    // castling: gives check, is prevented by an attack, loses the right to a capture
    {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661072},
    {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803711},
    {"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1274206},
    {"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1720476},
    // promotion: out of check, to give check, underpromotion
    {"2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3821001},
    {"8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1004658},
    {"4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217342},
    {"8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92683},
    // stalemate and checkmate on the way
    {"K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217},
    {"8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567584},
    {"8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23527},
};

void expect_counts(const std::vector<PerftLine>& cases) {
    for (const PerftLine& test : cases) {
        const auto position = parse_fen(test.fen);
        ASSERT_TRUE(position) << position.error().message;
        for (std::size_t depth = 1; depth <= test.nodes.size(); ++depth) {
            if (test.nodes[depth - 1] > kMostNodes) break;
            EXPECT_EQ(perft(*position, static_cast<int>(depth)), test.nodes[depth - 1])
                << test.fen << " depth " << depth;
        }
    }
}

TEST(Perft, StandardPositionsMatchPublishedCounts) { expect_counts(kStandard); }
TEST(Perft, Chess960PositionsMatchPublishedCounts) { expect_counts(kChess960); }

TEST(Perft, SingleRulesMatchPublishedCounts) {
    for (const RuleCase& test : kSingleRules) {
        const auto position = parse_fen(test.fen);
        ASSERT_TRUE(position) << position.error().message;
        EXPECT_EQ(perft(*position, test.depth), test.nodes) << test.fen;
        EXPECT_EQ(perft(position->color_flipped(), test.depth), test.nodes) << test.fen;
    }
}

TEST(Perft, DepthZeroIsOneAndBothLeafCountsAgree) {
    const auto position = parse_fen(kStandard[1].fen);
    ASSERT_TRUE(position);
    EXPECT_EQ(perft(*position, 0), 1u);
    for (int depth = 1; depth <= 3; ++depth) {
        EXPECT_EQ(perft(*position, depth, LeafCount::Lists),
                  perft(*position, depth, LeafCount::Bulk));
    }
}

TEST(Perft, VisitingSeesEveryInnerPosition) {
    std::uint64_t visited = 0;
    EXPECT_EQ(perft_visiting(Position::start(), 3, [&](const Position&) { ++visited; }), 8902u);
    EXPECT_EQ(visited, 1u + 20 + 400);
}

}  // namespace
}  // namespace solis::chess
