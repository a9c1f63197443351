// Tests of the threads of planner/deep/plan.h: helpers search, and their work is counted.
#include <array>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/model/decorator.h"
#include "solis/planner/plan.h"
#include "tests/planner/fake_model.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

constexpr std::size_t kSearchThreads = 3;
// A helper that has scored so many positions is searching: its root has only 20 moves.
constexpr std::uint64_t kSearching = 100;

// What the evaluators of a model have scored, in the order in which they were made. The deep plan
// makes one per thread, the leader's first.
class Tally {
  public:
    std::size_t next_number() { return made_++; }
    void add(std::size_t evaluator, std::size_t positions) { scored_.at(evaluator) += positions; }
    [[nodiscard]] std::uint64_t scored(std::size_t evaluator) const { return scored_[evaluator]; }
    // The leader waits until all helpers search, so that the test does not depend on how the system
    // shares its cores; a minute is for ever.
    void wait_for_helpers() {
        if (scored_[0] < kSearching || waited_) return;
        waited_ = true;
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (std::chrono::steady_clock::now() < end) {
            if (scored_[1] >= kSearching && scored_[2] >= kSearching) return;
            std::this_thread::sleep_for(Milliseconds(1));
        }
    }

  private:
    std::atomic<std::size_t> made_{0};
    std::array<std::atomic<std::uint64_t>, kSearchThreads> scored_{};
    bool waited_ = false;  // the leader's
};

class CountedEvaluator final : public model::EvaluatorDecorator {
  public:
    CountedEvaluator(std::unique_ptr<model::Evaluator> inner, Tally& tally)
        : EvaluatorDecorator(std::move(inner)), tally_(tally), number_(tally.next_number()) {}

    void score_children(const chess::Position& parent, std::span<const chess::Position> children,
                        std::span<float> scores) override {
        EvaluatorDecorator::score_children(parent, children, scores);
        count(children.size());
    }
    void score(std::span<const chess::Position> positions, std::span<float> scores) override {
        EvaluatorDecorator::score(positions, scores);
        count(positions.size());
    }

  private:
    void count(std::size_t positions) {
        tally_.add(number_, positions);
        if (number_ == 0) tally_.wait_for_helpers();
    }

    Tally& tally_;
    std::size_t number_;
};

class CountedModel final : public model::ModelDecorator {
  public:
    explicit CountedModel(Tally& tally)
        : ModelDecorator(std::make_shared<const RandomModel>(5)), tally_(tally) {}
    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<CountedEvaluator>(ModelDecorator::make_evaluator(), tally_);
    }

  private:
    Tally& tally_;
};

TEST(Helpers, SearchBesideTheLeaderAndTheirWorkIsCounted) {
    Tally tally;
    Settings settings;
    settings.threads = static_cast<int>(kSearchThreads);
    settings.hash_megabytes = 8;
    settings.deep.tempo = 0;  // to measure it would take an evaluator more
    Planner planner(std::make_shared<const CountedModel>(tally), settings);
    Limits limits;
    limits.depth = 9;
    const chess::Game game;
    const Plan plan = planner.plan(game, limits);
    EXPECT_TRUE(chess::legal_moves(game.position()).contains(plan.best()));
    EXPECT_EQ(plan.depth, 9);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < kSearchThreads; ++i) {
        EXPECT_GE(tally.scored(i), kSearching) << "thread " << i;
        total += tally.scored(i);
    }
    EXPECT_EQ(plan.effort.embedded, total);
}

constexpr std::uint64_t kNodeLimit = 1000;

// Holds the thread that plans back once, as a system without a free core would, until the helpers
// have done far more than the limit, or for a second, where they stop at it.
class Hold {
  public:
    // By then there are helpers, and in the PUCT plan leaves enough besides the one that is held.
    static constexpr int kHeldCall = 8;

    void count(std::size_t positions) {
        scored_ += positions;
        if (std::this_thread::get_id() != leader_ || ++leader_calls_ != kHeldCall) return;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        while (scored_ < 10 * kNodeLimit && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(Milliseconds(1));
        }
    }

  private:
    std::thread::id leader_ = std::this_thread::get_id();
    int leader_calls_ = 0;  // the leader's
    std::atomic<std::uint64_t> scored_{0};
};

class HeldEvaluator final : public model::EvaluatorDecorator {
  public:
    HeldEvaluator(std::unique_ptr<model::Evaluator> inner, Hold& hold)
        : EvaluatorDecorator(std::move(inner)), hold_(hold) {}

    void score_children(const chess::Position& parent, std::span<const chess::Position> children,
                        std::span<float> scores) override {
        EvaluatorDecorator::score_children(parent, children, scores);
        hold_.count(children.size());
    }
    void score(std::span<const chess::Position> positions, std::span<float> scores) override {
        EvaluatorDecorator::score(positions, scores);
        hold_.count(positions.size());
    }

  private:
    Hold& hold_;
};

class HeldModel final : public model::ModelDecorator {
  public:
    explicit HeldModel(Hold& hold)
        : ModelDecorator(std::make_shared<const RandomModel>(5)), hold_(hold) {}
    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<HeldEvaluator>(ModelDecorator::make_evaluator(), hold_);
    }

  private:
    Hold& hold_;
};

TEST(Helpers, KeepToANodeLimitWhileTheLeaderIsWithoutACore) {
    for (const PlanKind kind : {PlanKind::Deep, PlanKind::Puct}) {
        Hold hold;
        Settings settings;
        settings.kind = kind;
        settings.threads = static_cast<int>(kSearchThreads);
        settings.hash_megabytes = 8;
        settings.deep.tempo = 0;
        Planner planner(std::make_shared<const HeldModel>(hold), settings);
        Limits limits;
        limits.nodes = kNodeLimit;
        const Plan plan = planner.plan(chess::Game(), limits);
        // What each thread may have under way when the limit is reached.
        constexpr std::uint64_t kUnderWay = 250 * kSearchThreads;
        EXPECT_LE(plan.effort.nodes, kNodeLimit + kUnderWay) << name_of(kind);
    }
}

}  // namespace
}  // namespace solis::planner
