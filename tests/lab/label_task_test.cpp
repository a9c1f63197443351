// One game being labelled, with verdicts made up by the test.
#include "solis/lab/label/label_task.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"

namespace solis::lab {
namespace {

using chess::Position;
using data::LabelledGame;
using data::Score;
using Purpose = SearchRequest::Purpose;

// Plays the first legal move and scores by the key of the position.
engine::SearchReport verdict(const Position& position) {
    engine::SearchReport report;
    report.best_move = chess::to_uci(position, chess::legal_moves(position)[0]);
    report.score = engine::UciScore{false, static_cast<int>(position.key() % 301) - 150,
                                    engine::ScoreBound::Exact};
    return report;
}

// Answers the oldest request first, or branches last.
LabelledGame run(LabelTask task, bool branches_last = false) {
    std::deque<SearchRequest>& requests = task.requests();
    while (!task.done()) {
        auto next = requests.begin();
        if (branches_last) {
            next = std::find_if(requests.begin(), requests.end(), [](const SearchRequest& r) {
                return r.purpose != Purpose::Branch;
            });
            if (next == requests.end()) next = requests.begin();
        }
        const SearchRequest request = *next;
        requests.erase(next);
        const auto taken = task.answer(request, verdict(request.position));
        EXPECT_TRUE(taken) << taken.error().message;
    }
    return std::move(task).take();
}

LabelledGame given_game(const char* fen, std::initializer_list<const char*> moves) {
    LabelledGame game;
    game.start = *chess::parse_fen(fen);
    game.line.emplace_back();
    Position position = game.start;
    for (const char* text : moves) {
        const chess::Move move = *chess::parse_uci(position, text);
        game.line.push_back({move, {}, {}, 0});
        position = position.after(move);
    }
    return game;
}

// All moves legal, all branches accounted for and labelled; the played move is no branch.
void expect_consistent(const LabelledGame& game) {
    Position position = game.start;
    std::size_t branch = 0;
    for (std::size_t ply = 0; ply < game.line.size(); ++ply) {
        if (ply > 0) {
            ASSERT_TRUE(chess::is_legal(position, game.line[ply].move));
            position = position.after(game.line[ply].move);
        }
        for (std::uint32_t i = 0; i < game.line[ply].branch_count; ++i, ++branch) {
            ASSERT_LT(branch, game.branches.size());
            const data::Branch& b = game.branches[branch];
            ASSERT_TRUE(chess::is_legal(position, b.first));
            EXPECT_FALSE(b.score.is_none());
            if (ply + 1 < game.line.size()) {
                EXPECT_NE(b.first, game.line[ply + 1].move);
            }
            if (!b.second.is_none()) {
                EXPECT_TRUE(chess::is_legal(position.after(b.first), b.second));
            }
        }
    }
    EXPECT_EQ(branch, game.branches.size());
}

TEST(LabelTask, UciScoresBecomeLabels) {
    using engine::UciScore;
    EXPECT_TRUE(to_label(std::nullopt).is_none());
    EXPECT_EQ(to_label(UciScore{false, -37}), Score::centipawns(-37));
    EXPECT_EQ(to_label(UciScore{true, 3}), Score::mate_in(3));
    EXPECT_EQ(to_label(UciScore{true, -3}), Score::mated_in(3));
    EXPECT_EQ(to_label(UciScore{true, 0}), Score::mated_in(0));
    EXPECT_EQ(to_label(UciScore{true, std::numeric_limits<int>::min()}),
              Score::mated_in(Score::kUnknownDistance));
    EXPECT_EQ(to_label(UciScore{false, std::numeric_limits<int>::max()}),
              Score::centipawns(Score::kMaxCentipawns));
}

TEST(LabelTask, SelfPlayGamesAreConsistentAndFullyLabelledAfterTheOpening) {
    SelfPlayOptions play;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const LabelledGame game = run(LabelTask(play, {}, Seed{seed}));
        expect_consistent(game);
        const auto first = std::find_if(game.line.begin(), game.line.end(),
                                        [](const data::Ply& ply) { return !ply.score.is_none(); });
        const auto opening = first - game.line.begin();
        EXPECT_GE(opening, play.min_opening_plies);
        EXPECT_LE(opening, play.max_opening_plies);
        EXPECT_TRUE(std::none_of(first, game.line.end(),
                                 [](const data::Ply& ply) { return ply.score.is_none(); }));
        EXPECT_LE(static_cast<int>(game.line.size()), play.max_plies + 1);
    }
}

TEST(LabelTask, SeedDecidesTheGame) {
    const SelfPlayOptions play;
    EXPECT_EQ(run(LabelTask(play, {}, Seed{5})), run(LabelTask(play, {}, Seed{5})));
    EXPECT_NE(run(LabelTask(play, {}, Seed{5})), run(LabelTask(play, {}, Seed{6})));
}

TEST(LabelTask, OrderOfAnswersDoesNotMatter) {
    LabelOptions options;
    options.second_share = 0.3;
    options.children.per_position = 2;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        EXPECT_EQ(run(LabelTask(SelfPlayOptions(), options, Seed{seed})),
                  run(LabelTask(SelfPlayOptions(), options, Seed{seed}), true));
    }
}

TEST(LabelTask, NextPositionOfTheLineIsAskedBeforeBranches) {
    LabelTask task(SelfPlayOptions(), {}, Seed{1});
    ASSERT_EQ(task.requests().size(), 1u);
    const SearchRequest first = task.requests().front();
    task.requests().clear();
    ASSERT_TRUE(task.answer(first, verdict(first.position)));
    ASSERT_EQ(task.requests().size(), 2u);
    EXPECT_EQ(task.requests()[0].purpose, Purpose::Line);
    EXPECT_EQ(task.requests()[1].purpose, Purpose::Branch);
}

TEST(LabelTask, GivenLineKeepsMovesAndResult) {
    LabelledGame given = given_game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                    {"f2f3", "e7e5", "g2g4", "d8h4"});
    given.result = data::GameResult::BlackWins;
    given.line[1].score = Score::centipawns(777);  // replaced
    const LabelledGame game = run(LabelTask(given, {}, Seed{1}));
    expect_consistent(game);
    ASSERT_EQ(game.line.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(game.line[i].move, given.line[i].move);
    EXPECT_EQ(game.result, data::GameResult::BlackWins);
    EXPECT_EQ(game.line[4].score, Score::mated_in(0));
    EXPECT_NE(game.line[1].score, Score::centipawns(777));
    EXPECT_EQ(game.branches.size(), 4u);
}

TEST(LabelTask, FinishedChildrenAreLabelledByTheRules) {
    // Ra8 mates; Qf7 or Qg6 in the second stalemates.
    LabelOptions options;
    options.children.per_position = ChildOptions::kAll;
    const LabelledGame mate =
        run(LabelTask(given_game("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", {}), options, Seed{1}));
    const LabelledGame stalemate =
        run(LabelTask(given_game("7k/8/8/5K2/8/8/8/6Q1 w - - 0 1", {}), options, Seed{1}));
    const auto count = [](const LabelledGame& game, Score score) {
        return std::count_if(game.branches.begin(), game.branches.end(),
                             [&](const data::Branch& b) { return b.score == score; });
    };
    EXPECT_EQ(mate.branches.size(), chess::legal_moves(mate.start).size());
    EXPECT_EQ(count(mate, Score::mated_in(0)), 1);
    EXPECT_EQ(stalemate.branches.size(), chess::legal_moves(stalemate.start).size());
    EXPECT_GE(count(stalemate, Score::centipawns(0)), 1);
}

TEST(LabelTask, EngineIsNeverAskedAboutAFinishedGame) {
    LabelOptions options;
    options.children.per_position = ChildOptions::kAll;
    LabelTask task(given_game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", {}), options, Seed{1});
    EXPECT_TRUE(task.done());
    EXPECT_EQ(std::move(task).take().line[0].score, Score::centipawns(0));
}

TEST(LabelTask, PlayersMayGoOnAfterADeadDraw) {
    const LabelledGame game = run(LabelTask(
        given_game("8/8/8/3k4/8/3K4/8/8 w - - 0 1", {"d3e3", "d5e5", "e3d3"}), {}, Seed{1}));
    ASSERT_EQ(game.line.size(), 4u);
    for (const data::Ply& ply : game.line) EXPECT_EQ(ply.score, Score::centipawns(0));
}

TEST(LabelTask, SecondLooksAreStoredApart) {
    LabelOptions options;
    options.second_share = 1;
    options.children.per_position = 0;
    const LabelledGame game =
        run(LabelTask(given_game("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", {"a1a7"}), options, Seed{1}));
    EXPECT_TRUE(game.branches.empty());
    for (const data::Ply& ply : game.line) EXPECT_EQ(ply.second_look, ply.score);
}

TEST(LabelTask, IllegalEngineMoveIsAnError) {
    LabelTask task(SelfPlayOptions(), {}, Seed{1});
    const SearchRequest request = task.requests().front();
    engine::SearchReport report = verdict(request.position);
    report.best_move = "a1a1";
    const auto taken = task.answer(request, report);
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().message.find("a1a1"), std::string::npos);
}

TEST(LabelTask, DecidedGamesEnd) {
    LabelTask task(SelfPlayOptions(), {}, Seed{1});
    while (!task.done()) {
        const SearchRequest request = task.requests().front();
        task.requests().pop_front();
        engine::SearchReport report = verdict(request.position);
        const bool white = request.position.side_to_move() == chess::Color::White;
        report.score->value = white ? 3000 : -3000;
        ASSERT_TRUE(task.answer(request, report));
    }
    const LabelledGame game = std::move(task).take();
    EXPECT_EQ(game.result, data::GameResult::WhiteWins);
    EXPECT_LE(game.line.size(), 20u);
}

TEST(LabelTask, LookingAgainKeepsEveryLabelAndAddsSecondLooks) {
    LabelOptions options;
    options.children.per_position = 2;
    const LabelledGame first =
        run(LabelTask(given_game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                 {"e2e4", "e7e5", "g1f3"}),
                      options, Seed{3}));
    ASSERT_FALSE(first.branches.empty());
    options.again = true;
    options.second_share = 1;
    LabelledGame second = run(LabelTask(first, options, Seed{4}));
    for (data::Ply& ply : second.line) {
        EXPECT_FALSE(ply.second_look.is_none());
        ply.second_look = {};
    }
    EXPECT_EQ(second, first);
}

}  // namespace
}  // namespace solis::lab
