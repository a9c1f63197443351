// Verdicts are White's, whoever is to move.
#include "solis/analysis/analyst.h"

#include "tests/chess/from_fen.h"
#include "tests/planner/fake_model.h"

namespace solis::analysis {
namespace {

Analyst analyst_of(int lines) {
    planner::Settings settings;
    settings.multipv = lines;
    settings.hash_megabytes = 1;
    planner::Limits limits;
    limits.depth = 3;
    return {planner::Planner(std::make_shared<const planner::RandomModel>(7), settings), limits};
}

TEST(Analyst, MatesHaveTheSignOfTheWinner) {
    Analyst analyst = analyst_of(1);
    const auto white =
        analyst.analyse(chess::Game(chess::from_fen("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1")));
    EXPECT_EQ(white.lines.at(0).verdict.mate, 1);
    EXPECT_EQ(white.lines.at(0).verdict.text(), "#1");
    EXPECT_EQ(white.lines.at(0).verdict.win_probability, 1.0);
    analyst.new_game();
    const auto black =
        analyst.analyse(chess::Game(chess::from_fen("k3r3/8/8/8/8/8/5PPP/6K1 b - - 0 1")));
    EXPECT_EQ(black.lines.at(0).verdict.mate, -1);
    EXPECT_EQ(black.lines.at(0).verdict.text(), "#-1");
    EXPECT_EQ(black.lines.at(0).verdict.win_probability, 0.0);
}

TEST(Analyst, GivesAsManyLinesAsAskedForBestFirstInTheMoversView) {
    Analyst analyst = analyst_of(4);
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"}) {
        const chess::Game game(chess::from_fen(fen));
        const Analysis analysis = analyst.analyse(game);
        ASSERT_EQ(analysis.lines.size(), 4u);
        const double sign = game.position().side_to_move() == chess::Color::White ? 1 : -1;
        for (std::size_t i = 1; i < 4; ++i) {
            EXPECT_GE(sign * analysis.lines[i - 1].verdict.win_probability,
                      sign * analysis.lines[i].verdict.win_probability);
        }
    }
}

TEST(Analyst, AFinishedGameHasNoLines) {
    Analyst analyst = analyst_of(1);
    EXPECT_TRUE(analyst.analyse(chess::Game(chess::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")))
                    .lines.empty());
}

TEST(Analyst, StopsWhenToldWithWhatItHas) {
    planner::Settings settings;
    settings.hash_megabytes = 1;
    planner::Limits limits;
    limits.infinite = true;
    int asked = 0;
    Analyst analyst(planner::Planner(std::make_shared<const planner::RandomModel>(7), settings),
                    limits, [&] { return ++asked > 2; });
    const Analysis analysis = analyst.analyse(chess::Game());
    EXPECT_TRUE(analysis.stopped);
    ASSERT_EQ(analysis.lines.size(), 1u);
    EXPECT_FALSE(analysis.lines[0].moves.empty());
}

TEST(Analyst, AFinishedAnalysisWasNotStopped) {
    planner::Limits limits;
    limits.depth = 1;
    Analyst analyst(planner::Planner(std::make_shared<const planner::RandomModel>(7)), limits,
                    [] { return false; });
    EXPECT_FALSE(analyst.analyse(chess::Game()).stopped);
}

TEST(SanLine, NumbersMovesFromEitherSide) {
    const chess::Position start = chess::Position::start();
    const auto move = [](const char* from_to) {
        const chess::Square from = chess::make_square(from_to[0] - 'a', from_to[1] - '1');
        const chess::Square to = chess::make_square(from_to[2] - 'a', from_to[3] - '1');
        return chess::Move(from, to);
    };
    EXPECT_EQ(san_line(start, {move("e2e4"), move("e7e5"), move("g1f3")}), "1. e4 e5 2. Nf3");
    EXPECT_EQ(san_line(start.after(move("e2e4")), {move("e7e5"), move("g1f3")}), "1... e5 2. Nf3");
}

}  // namespace
}  // namespace solis::analysis
