// The integer evaluator: symmetric, the same whichever way a position is reached, and true to the
// float network.
#include "solis/model/swift_evaluator.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "solis/model/swift_reach.h"
#include "tests/chess/random_walks.h"

namespace solis::model {
namespace {

using chess::Color;
using chess::Move;
using chess::MoveKind;
using chess::MoveList;
using chess::Position;
using data::SwiftFeatureSet;

constexpr std::size_t kPlies = 60;

struct EvaluatorCase {
    SwiftFeatureSet features;
    nn::SwiftActivation activation;
    int buckets;
    int tail = 0;
};

std::vector<Position> children_of(const Position& position, const MoveList& moves) {
    std::vector<Position> children;
    for (const Move move : moves) children.push_back(position.after(move));
    return children;
}

class SwiftEvaluatorTest : public testing::TestWithParam<EvaluatorCase> {
  protected:
    SwiftEvaluatorTest() : features_(GetParam().features), net_(shape()) {
        Rng rng(Seed{7});
        net_.weights().randomize(rng);
        // A tail starts without a say; here it has one.
        for (float& value : net_.weights().tail_output.values) {
            value = static_cast<float>(rng.unit()) - 0.5f;
        }
        for (std::size_t i = 0; i < dims(); ++i) {
            axis_.push_back(static_cast<float>(2 * rng.unit() - 1));
        }
        const float length = std::sqrt(dot(axis_, axis_));
        for (float& value : axis_) value /= length;
        // As training does: what is held in 8 bits fits in them.
        limit_reach(features_, net_.weights(), nn::SwiftInteger::kFineReach);
        const nn::InputBounds bounds = input_bounds(features_, net_.weights());
        reach_ = bounds.reach;
        auto quantized = nn::SwiftInteger::quantize(net_.shape(), net_.weights(), bounds);
        if (quantized) integer_ = std::make_unique<nn::SwiftInteger>(std::move(*quantized));
    }
    void SetUp() override { ASSERT_TRUE(integer_); }

    static nn::SwiftShape shape() {
        nn::SwiftShape shape;
        shape.inputs = data::input_count(GetParam().features);
        shape.accumulators = 128;
        shape.dims = 32;
        shape.buckets = GetParam().buckets;
        shape.activation = GetParam().activation;
        shape.tail = GetParam().tail;
        return shape;
    }
    [[nodiscard]] std::size_t dims() const { return static_cast<std::size_t>(net_.shape().dims); }
    [[nodiscard]] SwiftEvaluator evaluator() const { return {*integer_, features_, axis_}; }

    static float dot(std::span<const float> a, std::span<const float> b) {
        float sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    }

    // The embedding by the float network.
    std::vector<float> float_embedding(const Position& position) {
        nn::SparseBatch batch;
        batch.resize(1, static_cast<std::size_t>(data::most_active(features_)));
        batch.bucket_ends.assign(static_cast<std::size_t>(net_.shape().buckets), 0);
        for (auto b = data::swift_bucket(position, net_.shape().buckets);
             b < batch.bucket_ends.size(); ++b) {
            batch.bucket_ends[b] = 1;
        }
        const data::SwiftBoard board(features_, position);
        const Color us = position.side_to_move();
        for (const std::size_t which : {0u, 1u}) {
            data::for_each_input(features_, position, board,
                                 data::swift_view(position, which == 0 ? us : ~us),
                                 [&](int input) { batch.add(0, which, input); });
        }
        std::vector<float> z(dims());
        net_.forward(batch, pool_, z);
        return z;
    }

    SwiftFeatureSet features_;
    nn::SwiftNet net_;
    std::vector<float> axis_;
    float reach_ = 0;
    std::unique_ptr<nn::SwiftInteger> integer_;
    ThreadPool pool_{1};
};

TEST_P(SwiftEvaluatorTest, SwappingColoursDoesNotChangeABit) {
    SwiftEvaluator direct = evaluator(), flipped = evaluator();
    chess::for_each_random_move(
        Seed{1}, kPlies, [&](const Position& position, const MoveList&, Move) {
            ASSERT_EQ(direct.score(position), flipped.score(position.color_flipped()))
                << chess::to_fen(position);
        });
}

TEST_P(SwiftEvaluatorTest, FollowingAGameEqualsStartingOver) {
    SwiftEvaluator following = evaluator();
    std::set<MoveKind> kinds;
    std::size_t crossings = 0;
    std::vector<float> scores(256);
    chess::for_each_random_move(
        Seed{2}, kPlies, [&](const Position& position, const MoveList& moves, Move) {
            const std::vector<Position> children = children_of(position, moves);
            following.score_children(position, children, scores);
            for (std::size_t i = 0; i < children.size(); ++i) {
                kinds.insert(moves[i].kind());
                const Color us = position.side_to_move();
                crossings +=
                    data::swift_view(position, us) == data::swift_view(children[i], us) ? 0 : 1;
                ASSERT_EQ(scores[i], evaluator().score(children[i]))
                    << chess::to_fen(position) << " move " << i;
            }
        });
    EXPECT_EQ(kinds.size(), 4u) << "the games should have moves of every kind";
    EXPECT_GT(crossings, 0u) << "a king should cross the middle";
}

TEST_P(SwiftEvaluatorTest, ScoringAndEmbeddingAgreeInAnyOrder) {
    SwiftEvaluator mixed = evaluator();
    std::vector<float> z(dims()), scores(256);
    std::size_t ply = 0;
    chess::for_each_random_move(
        Seed{3}, kPlies, [&](const Position& position, const MoveList& moves, Move) {
            // Leaves the anchors at children that were not played.
            if (++ply % 3 == 0) {
                mixed.score_children(position, children_of(position, moves), scores);
            }
            mixed.embed(position, z);
            ASSERT_NEAR(dot(z, z), 1.0f, 1e-5f);
            ASSERT_NEAR(dot(z, axis_), mixed.score(position), 1e-5f);
            ASSERT_EQ(mixed.score(position), evaluator().score(position));
        });
}

// A search goes down, comes back, and scores only some of the positions on its way.
TEST_P(SwiftEvaluatorTest, ComingBackFromLinesEqualsStartingOver) {
    SwiftEvaluator searching = evaluator();
    Rng rng(Seed{6});
    std::vector<Position> line{Position::start()};
    std::size_t scored = 0, deepest = 0;
    for (int step = 0; step < 1500; ++step) {
        const MoveList moves = chess::legal_moves(line.back());
        if (moves.empty() || rng.chance(0.02)) {
            line.erase(line.begin() + 1 + static_cast<std::ptrdiff_t>(rng.below(line.size())),
                       line.end());
        } else {
            line.push_back(line.back().after(moves[rng.below(moves.size())]));
        }
        deepest = std::max(deepest, line.size());
        if (rng.chance(0.4)) continue;
        ++scored;
        ASSERT_EQ(searching.score(line.back()), evaluator().score(line.back()))
            << chess::to_fen(line.back());
    }
    EXPECT_GT(scored, 500u);
    EXPECT_GT(deepest, 64u) << "lines should be longer than what is remembered";
}

TEST_P(SwiftEvaluatorTest, NoChildrenIsNoWork) {
    SwiftEvaluator one = evaluator();
    one.score_children(Position::start(), {}, {});
    EXPECT_EQ(one.score(Position::start()), evaluator().score(Position::start()));
}

TEST_P(SwiftEvaluatorTest, RanksMovesAsTheFloatNetworkDoes) {
    SwiftEvaluator integer = evaluator();
    std::vector<float> z(dims()), scores(256);
    double least_cosine = 1;
    std::size_t pairs = 0, agreeing = 0, ply = 0;
    chess::for_each_random_move(
        Seed{4}, kPlies, [&](const Position& position, const MoveList& moves, Move) {
            if (++ply % 8 != 0) return;
            const std::vector<Position> children = children_of(position, moves);
            integer.score_children(position, children, scores);
            std::vector<float> wanted;
            for (const Position& child : children) {
                const std::vector<float> exact = float_embedding(child);
                integer.embed(child, z);
                least_cosine = std::min(least_cosine, static_cast<double>(dot(z, exact)));
                wanted.push_back(dot(exact, axis_));
            }
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    ++pairs;
                    agreeing += (wanted[i] < wanted[j]) == (scores[i] < scores[j]) ? 1 : 0;
                }
            }
        });
    ASSERT_GT(pairs, 1000u);
    EXPECT_GT(least_cosine, 0.999);
    EXPECT_GT(static_cast<double>(agreeing) / static_cast<double>(pairs), 0.99);
}

TEST_P(SwiftEvaluatorTest, ReachBoundsEveryAccumulator) {
    const auto width = static_cast<std::size_t>(net_.shape().accumulators);
    const nn::SwiftWeights& weights = net_.weights();
    float largest = 0;
    chess::for_each_random_move(
        Seed{5}, kPlies, [&](const Position& position, const MoveList&, Move) {
            const data::SwiftBoard board(features_, position);
            for (const Color side : {Color::White, Color::Black}) {
                std::vector<float> sums = weights.input_bias.values;
                data::for_each_input(
                    features_, position, board, data::swift_view(position, side), [&](int input) {
                        for (std::size_t i = 0; i < width; ++i) {
                            sums[i] += weights.input_weight
                                           .values[static_cast<std::size_t>(input) * width + i];
                        }
                    });
                for (const float sum : sums) largest = std::max(largest, std::abs(sum));
            }
        });
    EXPECT_GT(largest, 0.0f);
    EXPECT_LE(largest, reach_);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, SwiftEvaluatorTest,
    testing::Values(EvaluatorCase{SwiftFeatureSet::Pieces, nn::SwiftActivation::Squared, 1},
                    EvaluatorCase{SwiftFeatureSet::Threats, nn::SwiftActivation::Squared, 1},
                    EvaluatorCase{SwiftFeatureSet::Threats, nn::SwiftActivation::Pairs, 8},
                    EvaluatorCase{SwiftFeatureSet::Relations, nn::SwiftActivation::Squared, 4},
                    EvaluatorCase{SwiftFeatureSet::Threats, nn::SwiftActivation::Squared, 8, 48},
                    EvaluatorCase{SwiftFeatureSet::Contacts, nn::SwiftActivation::Squared, 8, 48},
                    EvaluatorCase{SwiftFeatureSet::Danger, nn::SwiftActivation::Squared, 8, 48}));

}  // namespace
}  // namespace solis::model
