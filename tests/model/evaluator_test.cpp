// Tests of model/evaluator.h: which encoder scores which position.
#include "solis/model/evaluator.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/model/model_file.h"
#include "solis/model/open.h"

namespace solis::model {
namespace {

ModelFile random_model(std::uint64_t seed, int accumulators) {
    nn::SwiftShape shape;
    shape.accumulators = accumulators;
    shape.dims = 8;
    ModelFile file(SwiftEncoder(data::SwiftFeatureSet::Threats, shape));
    Rng rng(Seed{seed});
    std::get<SwiftEncoder>(file.encoder).weights.randomize(rng);
    file.axis = *axis_from_means({0.5f, 0, 0, 0, 0, 0, 0, 0}, {-0.5f, 0, 0, 0, 0, 0, 0, 0});
    file.calibration = *Calibration::from_knots({-0.5f, 0, 0.5f}, {0, 0.5f, 1});
    return file;
}

class DividedModel : public testing::Test {
  protected:
    DividedModel() {
        ModelFile both = random_model(1, 64);
        EXPECT_TRUE(attach_endings(both, random_model(2, 128)));
        game_ = *prepare(random_model(1, 64));
        endings_ = *prepare(random_model(2, 128));
        both_ = *prepare(std::move(both));
    }

    std::shared_ptr<const LoadedModel> game_, endings_, both_;
};

TEST_F(DividedModel, EachPositionIsScoredByTheEncoderInCharge) {
    const auto game = game_->make_evaluator(), endings = endings_->make_evaluator(),
               both = both_->make_evaluator();
    for (const char* fen : {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "qn2k3/8/8/8/8/8/8/4K3 w - - 0 1"}) {
        const chess::Position position = *chess::parse_fen(fen);
        EXPECT_TRUE(both_->has_ending(position)) << fen;
        EXPECT_FALSE(game_->has_ending(position)) << fen;
        EXPECT_EQ(both->score(position), endings->score(position)) << fen;
        EXPECT_NE(both->score(position), game->score(position)) << fen;
    }
    const chess::Position& start = chess::Position::start();
    EXPECT_FALSE(both_->has_ending(start));
    EXPECT_EQ(both->score(start), game->score(start));
}

TEST_F(DividedModel, SiblingsMayBelongToDifferentEncoders) {
    const auto game = game_->make_evaluator(), endings = endings_->make_evaluator(),
               both = both_->make_evaluator();
    // Promotions and captures lead to endings, other moves do not.
    for (const char* fen :
         {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/8/8/8/q7/KQ6 w - - 0 1",
          "4k3/8/8/8/2B5/8/q6R/K7 w - - 0 1", "4k3/8/8/3b4/2B5/8/q6R/K7 w - - 0 1"}) {
        const auto parsed = chess::parse_fen(fen);
        ASSERT_TRUE(parsed) << fen;
        const chess::Position& parent = *parsed;
        std::vector<chess::Position> children;
        for (const chess::Move move : chess::legal_moves(parent)) {
            children.push_back(parent.after(move));
        }
        std::vector<float> scores(children.size());
        both->score_children(parent, children, scores);
        for (std::size_t i = 0; i < children.size(); ++i) {
            Evaluator& in_charge = chess::MateTables::cover(children[i]) ? *endings : *game;
            EXPECT_EQ(scores[i], in_charge.score(children[i])) << fen << ", move " << i;
        }
    }
}

}  // namespace
}  // namespace solis::model
