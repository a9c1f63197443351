// Transformer models: files, imports of PyTorch's weights, and scores through the seam.
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/model/model_file.h"
#include "solis/model/open.h"
#include "solis/nn/transformer/reference.h"
#include "tests/model/changed_tensors.h"

namespace solis::model {
namespace {

using chess::Position;

TransformerEncoder small_encoder(data::Tokenizer tokenizer = data::Tokenizer::Deepmind) {
    nn::TransformerShape shape;
    shape.dims = 32;
    shape.heads = 2;
    shape.mlp = 48;
    shape.layers = 2;
    TransformerEncoder encoder(tokenizer, shape);
    Rng rng(Seed{3});
    encoder.weights.randomize(rng);
    return encoder;
}

ModelFile transformer_model() {
    ModelFile model(small_encoder());
    std::vector<float> white(32), black(32);
    white[0] = 0.5f, black[0] = -0.4f, black[1] = 0.1f;
    model.axis = *axis_from_means(white, black);
    model.calibration = *Calibration::from_knots({-0.5f, 0.1f, 0.5f}, {0.1f, 0.5f, 0.8f});
    return model;
}

TEST(TransformerModel, RoundTripsThroughAFile) {
    const ModelFile model = transformer_model();
    const auto again = parse_model(nn::to_safetensors(to_tensors(model)));
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_NE(again->transformer(), nullptr);
    EXPECT_EQ(again->encoder_kind(), "transformer");
    EXPECT_EQ(again->transformer()->shape, model.transformer()->shape);
    EXPECT_EQ(again->transformer()->tokenizer, data::Tokenizer::Deepmind);
    for (std::size_t i = 0; i < model.transformer()->weights.all.size(); ++i) {
        EXPECT_EQ(again->transformer()->weights.all[i].values,
                  model.transformer()->weights.all[i].values);
    }
    EXPECT_EQ(again->axis, model.axis);
    EXPECT_EQ(again->calibration, model.calibration);
}

TEST(TransformerModel, FilesThatDoNotFitAreRefusedByName) {
    const std::string in = "transformer.layers.1.self_attn.in_proj_weight";
    EXPECT_EQ(error_after(transformer_model(), [](nn::TensorFile&) {}), "accepted");
    EXPECT_EQ(
        error_after(transformer_model(), [&](nn::TensorFile& f) { tensor(f, in).name = "other"; }),
        "tensor '" + in + "' of shape [96, 32] is missing");
    EXPECT_EQ(error_after(transformer_model(),
                          [&](nn::TensorFile& f) {
                              tensor(f, in).shape = {32, 96};
                          }),
              "tensor '" + in + "' has shape [32, 96], expected [96, 32]");
    EXPECT_EQ(error_after(transformer_model(),
                          [&](nn::TensorFile& f) {
                              tensor(f, in).values[7] = std::numeric_limits<float>::quiet_NaN();
                          }),
              "tensor '" + in + "' has nan at index 7, expected finite numbers");
    EXPECT_EQ(
        error_after(transformer_model(),
                    [](nn::TensorFile& f) { f.metadata["solis.transformer.tokenizer"] = "words"; }),
        "unknown tokenizer 'words'");
    EXPECT_EQ(error_after(transformer_model(),
                          [](nn::TensorFile& f) {
                              f.metadata["solis.transformer.vocabulary"] = "32";
                              f.metadata["solis.transformer.tokenizer"] = "reference";
                          }),
              "transformer: a table for 32 tokens, the 'reference' tokenizer has 33");
    EXPECT_EQ(error_after(transformer_model(),
                          [](nn::TensorFile& f) { f.metadata["solis.transformer.heads"] = "3"; }),
              "transformer: 32 dimensions in 3 heads, expected a multiple of 16 in each");
    EXPECT_EQ(error_after(
                  transformer_model(),
                  [](nn::TensorFile& f) { f.metadata["solis.transformer.layers"] = "999999999"; }),
              "transformer: layers is 999999999, expected 1..64");
    EXPECT_EQ(error_after(transformer_model(),
                          [](nn::TensorFile& f) { f.metadata["solis.transformer.layers"] = "1"; }),
              "unknown tensor 'transformer.layers.1.self_attn.in_proj_weight' of shape [96, 32]");
}

TEST(TransformerModel, ImportsAStateDictOfPyTorch) {
    nn::TensorFile file = to_tensors(ModelFile(small_encoder()));
    file.metadata.clear();
    // As some programs save them.
    tensor(file, "positional_encoding").shape = {78, 32};
    tensor(file, "cls_token").shape = {32};
    const auto guess = import_tensors(file, {});
    ASSERT_FALSE(guess);
    EXPECT_EQ(guess.error().message, "the file does not say how many heads 32 dimensions have");
    const auto model = import_tensors(file, {.features = {}, .tokenizer = "reference", .heads = 2});
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->transformer()->shape, small_encoder().shape);
    EXPECT_EQ(model->transformer()->tokenizer, data::Tokenizer::Reference);
    EXPECT_EQ(model->transformer()->weights.all[nn::kPositions].shape,
              (std::vector<std::size_t>{1, 78, 32}));
}

// Scores of all children by the definition.
std::vector<double> exact_scores(const ModelFile& file, std::span<const Position> children) {
    const TransformerEncoder& encoder = *file.transformer();
    std::vector<double> scores;
    for (const Position& child : children) {
        const data::Tokens tokens = data::tokenize(child, encoder.tokenizer);
        const std::vector<double> z =
            nn::transformer_reference(encoder.shape, encoder.weights, tokens);
        double& score = scores.emplace_back(0);
        for (std::size_t d = 0; d < z.size(); ++d) {
            score += z[d] * static_cast<double>(file.axis->direction[d]);
        }
    }
    return scores;
}

// The evaluator computes in integers.
TEST(TransformerModel, ScoresFollowTheDefinitionHoweverTheyAreAskedFor) {
    constexpr double kNear = 1e-3;
    const ModelFile file = transformer_model();
    const auto loaded = prepare(file);
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto evaluator = (*loaded)->make_evaluator();
    std::size_t pairs = 0, in_order = 0;
    for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 99 70"}) {
        const Position parent = *chess::parse_fen(fen);
        std::vector<Position> children;
        for (const chess::Move move : chess::legal_moves(parent)) {
            children.push_back(parent.after(move));
        }
        std::vector<float> scores(children.size()), again(children.size()), z(32);
        evaluator->score_children(parent, children, scores);
        evaluator->score_children(parent, children, again);  // from the cache
        EXPECT_EQ(scores, again);
        const auto shared = (*loaded)->make_evaluator();
        shared->use_threads(3);
        shared->score_children(parent, children, again);
        EXPECT_EQ(scores, again);
        const std::vector<double> exact = exact_scores(file, children);
        for (std::size_t i = 0; i < children.size(); ++i) {
            EXPECT_NEAR(static_cast<double>(scores[i]), exact[i], kNear);
            EXPECT_EQ(evaluator->score(children[i]), scores[i]);
            evaluator->embed(children[i], z);
            EXPECT_NEAR(static_cast<double>(file.axis->score(z)), exact[i], kNear);
            for (std::size_t j = 0; j < i; ++j) {
                // This untrained network scores many children almost alike.
                if (std::abs(exact[i] - exact[j]) < kNear / 5) continue;
                ++pairs;
                in_order += (exact[i] < exact[j]) == (scores[i] < scores[j]);
            }
        }
    }
    EXPECT_GT(pairs, 100u);
    EXPECT_GE(static_cast<double>(in_order), 0.97 * static_cast<double>(pairs));
}

// The transformer sees counters, so positions that differ in them only are different to the cache.
TEST(TransformerModel, TheCacheTellsCountersApart) {
    const auto loaded = prepare(transformer_model());
    ASSERT_TRUE(loaded);
    const auto evaluator = (*loaded)->make_evaluator();
    const Position fresh = *chess::parse_fen("8/8/4k3/8/8/4K3/4P3/8 w - - 0 40");
    const Position stale = *chess::parse_fen("8/8/4k3/8/8/4K3/4P3/8 w - - 77 80");
    const float first = evaluator->score(fresh), second = evaluator->score(stale);
    EXPECT_NE(first, second);
    EXPECT_EQ(evaluator->score(fresh), first);
}

}  // namespace
}  // namespace solis::model
