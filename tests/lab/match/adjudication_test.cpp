// When a game is ended early, and when not.
#include "solis/lab/match/adjudication.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"

namespace solis::lab {
namespace {

using chess::Color;
using data::Score;

// After a quiet move.
const chess::Position& quiet() {
    static const chess::Position position = *chess::parse_fen("r3k3/8/8/8/8/8/8/4K2R w - - 5 60");
    return position;
}

Color mover(int ply) { return ply % 2 == 1 ? Color::White : Color::Black; }

// The ply at which scores (of the mover, by ply) end the game; 0: never.
template <class ScoreAt>
int ends_at(Adjudicator adjudicator, ScoreAt score_at, std::optional<Verdict>& verdict,
            const chess::Position& position = quiet()) {
    for (int ply = 1; ply <= 300; ++ply) {
        verdict = adjudicator.after_move(position, mover(ply), score_at(ply), ply);
        if (verdict) return ply;
    }
    return 0;
}

TEST(Adjudicator, DoesNothingUnlessAsked) {
    std::optional<Verdict> verdict;
    EXPECT_EQ(ends_at(
                  Adjudicator({}, nullptr),
                  [](int ply) { return Score::centipawns(ply % 2 == 1 ? 5000 : -5000); }, verdict),
              0);
    EXPECT_EQ(ends_at(
                  Adjudicator({}, nullptr), [](int) { return Score::centipawns(0); }, verdict),
              0);
}

TEST(Adjudicator, DrawNeedsTheMoveNumberAndTheMoves) {
    AdjudicationOptions options;
    options.draw = DrawRule{.from_move = 20, .moves = 5, .centipawns = 10};
    std::optional<Verdict> verdict;
    const auto level = [](int) { return Score::centipawns(-10); };
    EXPECT_EQ(ends_at(Adjudicator(options, nullptr), level, verdict), 40);
    EXPECT_EQ(verdict, (Verdict{Ending::AgreedDraw, std::nullopt}));
    const auto late = [](int ply) { return Score::centipawns(ply <= 60 ? 11 : 0); };
    EXPECT_EQ(ends_at(Adjudicator(options, nullptr), late, verdict), 70);
    const auto one_doubts = [](int ply) { return Score::centipawns(ply % 2 == 0 ? 30 : 0); };
    EXPECT_EQ(ends_at(Adjudicator(options, nullptr), one_doubts, verdict), 0);
    const auto silent = [](int) { return Score(); };
    EXPECT_EQ(ends_at(Adjudicator(options, nullptr), silent, verdict), 0);
    const auto after_capture = *chess::parse_fen("r3k3/8/8/8/8/8/8/4K2R w - - 0 60");
    EXPECT_EQ(ends_at(Adjudicator(options, nullptr), level, verdict, after_capture), 0);
}

TEST(Adjudicator, ResignationNeedsBothUnlessToldOtherwise) {
    AdjudicationOptions options;
    options.resign = ResignRule{.moves = 3, .centipawns = 500, .both_agree = true};
    std::optional<Verdict> verdict;
    const auto agreed = [](int ply) { return Score::centipawns(ply % 2 == 1 ? -500 : 500); };
    EXPECT_EQ(ends_at(Adjudicator(options, nullptr), agreed, verdict), 7);
    EXPECT_EQ(verdict, (Verdict{Ending::Resignation, Color::Black}));
    const auto pessimist = [](int ply) { return Score::centipawns(ply % 2 == 1 ? -900 : 0); };
    EXPECT_EQ(ends_at(Adjudicator(options, nullptr), pessimist, verdict), 0);
    options.resign->both_agree = false;
    EXPECT_EQ(ends_at(Adjudicator(options, nullptr), pessimist, verdict), 5);
    EXPECT_EQ(verdict, (Verdict{Ending::Resignation, Color::Black}));
    const auto wavering = [](int ply) { return Score::centipawns(ply % 6 == 1 ? 0 : -900); };
    EXPECT_EQ(
        ends_at(
            Adjudicator(options, nullptr),
            [&](int ply) { return ply % 2 == 1 ? wavering(ply) : Score::centipawns(0); }, verdict),
        0)
        << "three in a row, not three in all";
}

TEST(Adjudicator, MatesCountAsDecided) {
    AdjudicationOptions options;
    options.resign = ResignRule{.moves = 2, .centipawns = 500, .both_agree = true};
    std::optional<Verdict> verdict;
    const auto mating = [](int ply) {
        return ply % 2 == 1 ? Score::mate_in(5) : Score::mated_in(5);
    };
    EXPECT_NE(ends_at(Adjudicator(options, nullptr), mating, verdict), 0);
    EXPECT_EQ(verdict, (Verdict{Ending::Resignation, Color::White}));
}

TEST(Adjudicator, MoveLimitIsADraw) {
    AdjudicationOptions options;
    options.max_moves = 50;
    std::optional<Verdict> verdict;
    EXPECT_EQ(
        ends_at(
            Adjudicator(options, nullptr), [](int) { return Score::centipawns(900); }, verdict),
        100);
    EXPECT_EQ(verdict, (Verdict{Ending::MoveLimit, std::nullopt}));
}

}  // namespace
}  // namespace solis::lab
