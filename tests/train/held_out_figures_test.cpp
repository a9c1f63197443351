// Figures of held-out positions: which positions and siblings they are of.
#include "solis/train/held_out_figures.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/model/open.h"
#include "solis/train/validation.h"

namespace solis::train {
namespace {

// Games in memory.
class ListSource final : public data::GameSource {
  public:
    explicit ListSource(std::vector<data::LabelledGame> games) : games_(std::move(games)) {}
    Result<bool> next(data::LabelledGame& game) override {
        if (at_ == games_.size()) return false;
        game = games_[at_++];
        return true;
    }
    const data::ImportReport& report() const override { return report_; }

  private:
    std::vector<data::LabelledGame> games_;
    std::size_t at_ = 0;
    data::ImportReport report_;
};

data::LabelledGame one_position(const char* fen, int centipawns) {
    data::LabelledGame game;
    game.start = *chess::parse_fen(fen);
    game.line.push_back({{}, data::Score::centipawns(centipawns), {}, 0});
    return game;
}

constexpr const char* kQuiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
constexpr const char* kCapture = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
constexpr const char* kCheck = "4k3/8/8/8/8/8/4r3/K7 b - - 0 1";

ValidationSet set_of(const std::vector<data::LabelledGame>& games, int positions = 1000) {
    TrainConfig config;
    config.validation.positions = positions;
    ListSource source(games);
    auto set = ValidationSet::draw(source, config);
    EXPECT_TRUE(set) << set.error().message;
    return set ? std::move(*set) : ValidationSet{};
}

TEST(HeldOutFigures, QuietMeansNoCheckAndNothingToCapture) {
    const ValidationSet set =
        set_of({one_position(kQuiet, 1), one_position(kCapture, 2), one_position(kCheck, 3),
                one_position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", 4)});
    EXPECT_EQ(set.quiet, (std::vector<std::uint8_t>{1, 0, 1, 0}));
    EXPECT_EQ(set.centipawns, (std::vector<int>{1, 2, 3, 4}));
}

TEST(HeldOutFigures, BalancedPositionsHaveACorrelationOfTheirOwn) {
    // Far from equality everything is in order, near it everything is in the wrong one.
    std::vector<data::LabelledGame> games;
    std::vector<float> scores;
    for (const int centipawns : {-900, -500, -150, -90, 0, 100, 200, 201, 700}) {
        games.push_back(one_position(kQuiet, centipawns));
        const bool is_balanced = std::abs(centipawns) <= 200;
        scores.push_back(static_cast<float>(is_balanced ? -centipawns : 10 * centipawns));
    }
    const ValidationSet set = set_of(games);
    ValidationReport report;
    measure_order(set, scores, set.aims, report);
    EXPECT_EQ(report.positions, 9u);
    EXPECT_EQ(report.balanced, 5u);
    EXPECT_DOUBLE_EQ(report.within_200, -1);
    EXPECT_DOUBLE_EQ(report.within_100, -1);
    EXPECT_DOUBLE_EQ(report.within_200_quiet, -1);
    EXPECT_GT(report.spearman, 0.5);
}

TEST(HeldOutFigures, QuietOnesAreCountedApart) {
    std::vector<data::LabelledGame> games;
    std::vector<float> scores;
    for (const int centipawns : {-50, 0, 50}) {
        games.push_back(one_position(kQuiet, centipawns));
        scores.push_back(static_cast<float>(centipawns));
        games.push_back(one_position(kCapture, centipawns + 1));
        scores.push_back(static_cast<float>(-centipawns));
    }
    const ValidationSet set = set_of(games);
    ValidationReport report;
    measure_order(set, scores, set.aims, report);
    EXPECT_DOUBLE_EQ(report.within_100_quiet, 1);
    EXPECT_LT(report.within_100, 0.5);
}

TEST(HeldOutFigures, SiblingsAreComparedWithinTheirSet) {
    data::LabelledGame game = one_position(kQuiet, 30);
    const chess::MoveList moves = chess::legal_moves(game.start);
    int label = 0;
    for (const chess::Move move : moves) {
        game.branches.push_back({move, {}, data::Score::centipawns(label += 20)});
    }
    game.line[0].branch_count = static_cast<std::uint32_t>(moves.size());
    const ValidationSet set = set_of({game});
    ASSERT_EQ(set.siblings.size(), 1u);
    ASSERT_EQ(set.siblings[0].children.size(), moves.size());
    ValidationReport report;
    float next = 0;
    const MoverScores rising = [&](auto, std::span<float> out) {
        for (float& score : out) score = ++next;
    };
    measure_moves(set, rising, report);
    EXPECT_EQ(report.sibling_pairs, moves.size() * (moves.size() - 1) / 2);
    EXPECT_DOUBLE_EQ(report.siblings_in_order, 1);
    const MoverScores falling = [&](auto, std::span<float> out) {
        for (float& score : out) score = --next;
    };
    measure_moves(set, falling, report);
    EXPECT_DOUBLE_EQ(report.siblings_in_order, 0);
}

TEST(HeldOutFigures, EveryPositionIsAsLikelyToBeDrawn) {
    std::vector<data::LabelledGame> games;
    for (int i = 0; i < 4000; ++i) games.push_back(one_position(kQuiet, i));
    const ValidationSet set = set_of(games, 1000);
    ASSERT_EQ(set.positions.size(), 1000u);
    double mean = 0;
    for (const int centipawns : set.centipawns) mean += centipawns / 1000.0;
    // The standard deviation of the mean is 4000 / sqrt(12 * 1000) * sqrt(3 / 4) = 32.
    EXPECT_NEAR(mean, 2000, 130);
    ListSource nothing({});
    EXPECT_FALSE(ValidationSet::draw(nothing, {}));
}

// A rook against a bare king is the endings encoder's, whose scores do not compare with others.
TEST(HeldOutFigures, EndingsAreMeasuredOnTheirOwnAxis) {
    const auto model = model::open("");
    ASSERT_TRUE(model) << model.error().message;
    std::vector<data::LabelledGame> games{one_position("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", -2000),
                                          one_position("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", 3000)};
    const ValidationSet endings = set_of(games);
    EXPECT_EQ(measure_model(**model, endings).positions, 0u);
    for (const auto& [fen, centipawns] :
         {std::pair{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 30},
          {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -900},
          {"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 900}}) {
        games.push_back(one_position(fen, centipawns));
    }
    const ValidationReport report = measure_model(**model, set_of(games));
    EXPECT_EQ(report.positions, 3u);
    EXPECT_EQ(report.endings, 2u);
    EXPECT_DOUBLE_EQ(report.spearman, 1);
    EXPECT_DOUBLE_EQ(report.endings_spearman, 1);
}

}  // namespace
}  // namespace solis::train
