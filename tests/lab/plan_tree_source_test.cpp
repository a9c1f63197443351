// Positions drawn from plans.
#include "solis/lab/label/plan_tree_source.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/rules.h"
#include "solis/model/open.h"

namespace solis::lab {
namespace {

class ListSource final : public data::GameSource {
  public:
    Result<bool> next(data::LabelledGame& game) override {
        if (given_ == fens_.size()) return false;
        game = {};
        game.start = *chess::parse_fen(fens_[given_++]);
        game.line.emplace_back();
        return true;
    }
    const data::ImportReport& report() const override { return report_; }

  private:
    std::vector<std::string> fens_{
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  // stalemate: nothing to plan
        "8/5k2/8/3P4/8/2K5/8/8 b - - 0 1",
    };
    std::size_t given_ = 0;
    data::ImportReport report_;
};

std::vector<chess::Position> positions_from_plans(const PlanTreeOptions& options) {
    const auto model = model::open("");
    EXPECT_TRUE(model) << model.error().message;
    const auto source = make_plan_tree_source(std::make_unique<ListSource>(), *model, options);
    std::vector<chess::Position> all;
    data::LabelledGame game;
    while (*source->next(game)) {
        EXPECT_EQ(game.line.size(), 1u);
        all.push_back(game.start);
    }
    return all;
}

TEST(PlanTreeSource, GivesPositionsOfEveryPlanAndTheSameOnesForTheSameSeed) {
    const PlanTreeOptions options{.embeddings = 2000, .per_plan = 24, .seed = Seed{3}};
    const auto positions = positions_from_plans(options);
    ASSERT_EQ(positions.size(), 48u);
    EXPECT_EQ(positions, positions_from_plans(options));
    PlanTreeOptions other = options;
    other.seed = Seed{4};
    EXPECT_NE(positions, positions_from_plans(other));
    for (const chess::Position& position : positions) {
        EXPECT_FALSE(chess::outcome(position, chess::Claims::Ignored)) << chess::to_fen(position);
    }
    // Three positions deep at least: plans look further than the moves at their root.
    const auto deepest = std::max_element(
        positions.begin(), positions.begin() + 24,
        [](const auto& a, const auto& b) { return a.fullmove_number() < b.fullmove_number(); });
    EXPECT_GT(deepest->fullmove_number(), 4) << chess::to_fen(*deepest);
}

}  // namespace
}  // namespace solis::lab
