// Tests of model/decorator.h and model/lockstep.h.
#include "solis/model/decorator.h"

#include <vector>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/model/lockstep.h"
#include "solis/model/open.h"

namespace solis::model {
namespace {

using chess::Position;

// Notes what it is asked for.
struct Calls {
    std::size_t children = 0, scored = 0, embedded = 0, threads = 0;
};

class NotingEvaluator final : public Evaluator {
  public:
    explicit NotingEvaluator(Calls& calls) : calls_(calls) {}

    void score_children(const Position&, std::span<const Position> children,
                        std::span<float>) override {
        calls_.children += children.size();
    }
    void score(std::span<const Position> positions, std::span<float>) override {
        calls_.scored += positions.size();
    }
    void embed(std::span<const Position> positions, std::span<float>) override {
        calls_.embedded += positions.size();
    }
    void use_threads(std::size_t threads) override { calls_.threads = threads; }

  private:
    Calls& calls_;
};

class PlainEvaluator final : public EvaluatorDecorator {
  public:
    explicit PlainEvaluator(std::unique_ptr<Evaluator> inner)
        : EvaluatorDecorator(std::move(inner)) {}
};

TEST(EvaluatorDecorator, PassesEverythingOn) {
    Calls calls;
    PlainEvaluator evaluator(std::make_unique<NotingEvaluator>(calls));
    const std::vector<Position> positions(3, Position::start());
    std::vector<float> out(3);
    evaluator.score_children(Position::start(), positions, out);
    evaluator.score(positions, out);
    evaluator.embed(std::span(positions).first(2), out);
    evaluator.use_threads(5);
    EXPECT_EQ(calls.children, 3u);
    EXPECT_EQ(calls.scored, 3u);
    EXPECT_EQ(calls.embedded, 2u);
    EXPECT_EQ(calls.threads, 5u);
}

// Lockstep changes when scores come, not what they are; a lone evaluator waits for nobody.
TEST(Lockstep, HasTheScoresAndTheMeaningOfTheInnerModel) {
    const auto plain = model::open("");
    ASSERT_TRUE(plain) << plain.error().message;
    const auto stepping = lockstep_model(*plain);
    EXPECT_EQ(stepping->calibration(), (*plain)->calibration());
    EXPECT_EQ(stepping->has_endings(), (*plain)->has_endings());
    EXPECT_EQ(stepping->traits().positions_per_look, (*plain)->traits().positions_per_look);
    std::vector<Position> children;
    for (const chess::Move move : chess::legal_moves(Position::start())) {
        children.push_back(Position::start().after(move));
    }
    std::vector<float> expected(children.size()), found(children.size());
    (*plain)->make_evaluator()->score(children, expected);
    const auto evaluator = stepping->make_evaluator();
    evaluator->score_children(Position::start(), children, found);
    EXPECT_EQ(found, expected);
    evaluator->score(children, found);
    EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace solis::model
