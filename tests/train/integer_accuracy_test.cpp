// The shipped model in integers beside the same model in floats.
#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/model/embedded_model.h"
#include "solis/model/swift_evaluator.h"
#include "solis/model/swift_reach.h"
#include "solis/nn/kernels/vector_kernels.h"
#include "solis/train/trainable.h"

namespace solis::train {
namespace {

using chess::Position;

constexpr std::size_t kParents = 150;

// Positions after a few random moves.
std::vector<Position> random_positions(Rng& rng) {
    std::vector<Position> found;
    while (found.size() < kParents) {
        Position position = Position::start();
        const std::uint64_t plies = 6 + rng.below(60);
        for (std::uint64_t ply = 0; ply < plies; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            position = position.after(moves[rng.below(moves.size())]);
        }
        if (chess::has_legal_move(position)) found.push_back(position);
    }
    return found;
}

TEST(IntegerAccuracy, TheDefaultModelPointsTheSameWayAndRanksSiblingsAlike) {
    const auto model = model::load_model_or_default("");
    ASSERT_TRUE(model) << model.error().message;
    ASSERT_TRUE(model->axis);
    ASSERT_NE(model->swift(), nullptr);
    const model::SwiftEncoder& encoder = *model->swift();
    const nn::InputBounds bounds = model::input_bounds(encoder.features, encoder.weights);
    const auto integer = nn::SwiftInteger::quantize(encoder.shape, encoder.weights, bounds);
    ASSERT_TRUE(integer) << integer.error().message;
    const std::span<const float> axis = model->axis->direction;
    model::SwiftEvaluator evaluator(*integer, encoder.features, axis);
    const auto floating = make_trainable(*model);
    ThreadPool pool(1);
    Rng rng(Seed{3});
    std::size_t positions = 0, pairs = 0, agreeing = 0;
    double cosines = 0;
    for (const Position& parent : random_positions(rng)) {
        std::vector<Position> children;
        for (const chess::Move move : chess::legal_moves(parent)) {
            children.push_back(parent.after(move));
        }
        std::vector<float> z(children.size() * axis.size()), scores(children.size());
        floating->forward(children, pool, z);
        evaluator.score_children(parent, children, scores);
        std::vector<float> own(axis.size()), exact;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const auto row = std::span<const float>(z).subspan(i * axis.size(), axis.size());
            evaluator.embed(children[i], own);
            const float cosine = nn::dot(row, own);
            EXPECT_GT(cosine, 0.997f);
            cosines += static_cast<double>(cosine);
            exact.push_back(nn::dot(row, axis));
            for (std::size_t j = 0; j < i; ++j, ++pairs) {
                agreeing += (exact[i] < exact[j]) == (scores[i] < scores[j]);
            }
        }
        positions += children.size();
    }
    EXPECT_GT(cosines / static_cast<double>(positions), 0.9999);
    EXPECT_GT(static_cast<double>(agreeing) / static_cast<double>(pairs), 0.99);
}

}  // namespace
}  // namespace solis::train
