// Tests of planner/root.h. Those of real tables run where SOLIS_SYZYGY names a folder with them.
#include "solis/planner/root.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "solis/chess/uci_move.h"
#include "solis/planner/plan.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

TEST(RootMoves, AreTheLegalOnesAmongThoseAskedFor) {
    const ValueScale scale(*default_model(), Scoring::Unanchored);
    const chess::Position& start = chess::Position::start();
    EXPECT_EQ(root_moves(start, {}, nullptr, scale).moves.size(), 20u);
    const chess::Move legal = *chess::parse_uci(start, "e2e4");
    const chess::Move illegal(chess::Square::E2, chess::Square::E5);
    const RootMoves asked = root_moves(start, {illegal, legal}, nullptr, scale);
    EXPECT_EQ(asked.moves, std::vector{legal});
    EXPECT_TRUE(root_moves(start, {illegal}, nullptr, scale).moves.empty());
}

class WithTables : public testing::Test {
  protected:
    void SetUp() override {
        const char* folder = std::getenv("SOLIS_SYZYGY");
        if (folder == nullptr) GTEST_SKIP() << "SOLIS_SYZYGY is not set";
        auto opened = chess::Tablebase::open(folder);
        ASSERT_TRUE(opened) << opened.error().message;
        tablebase_.emplace(std::move(*opened));
    }
    std::optional<chess::Tablebase> tablebase_;
};

TEST_F(WithTables, EveryPlanPlaysOnlyMovesThatKeepTheResult) {
    for (const PlanKind kind : {PlanKind::Paper, PlanKind::Deep, PlanKind::Puct}) {
        Settings settings;
        settings.kind = kind;
        settings.hash_megabytes = 1;
        settings.tablebase = &*tablebase_;
        Planner planner(default_model(), settings);
        Limits limits;
        limits.nodes = 500;
        chess::Game game = game_at("8/8/8/8/3k4/8/8/K6R w - - 0 1");
        while (!game.outcome(chess::Claims::Counted)) {
            game.push(planner.plan(game, limits).best());
        }
        EXPECT_EQ(game.outcome(chess::Claims::Counted)->winner, chess::Color::White)
            << name_of(kind);
    }
}

TEST_F(WithTables, KnowDrawsAndWinsInsideThePlan) {
    const ValueScale scale(*default_model(), Scoring::Unanchored);
    const auto value = [&](const char* fen) {
        return tablebase_value(&*tablebase_, *chess::parse_fen(fen), 3, scale);
    };
    EXPECT_EQ(value("8/8/8/8/3k4/8/8/K6R w - - 0 1"), kTablebaseWin - 3);
    EXPECT_EQ(value("8/8/8/8/3k4/8/8/K6R b - - 0 1"), -kTablebaseWin + 3);
    EXPECT_EQ(value("8/8/8/8/3k4/8/8/K6R w - - 1 1"), std::nullopt);
    EXPECT_EQ(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), std::nullopt);
}

}  // namespace
}  // namespace solis::planner
