// Model files: round trips and every way in which a file can be wrong.
#include "solis/model/model_file.h"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/model/changed_tensors.h"

namespace solis::model {
namespace {

ModelFile bare_model(nn::SwiftActivation activation = nn::SwiftActivation::Squared, int tail = 0) {
    nn::SwiftShape shape;
    shape.tail = tail;
    shape.accumulators = 64;
    shape.dims = 8;
    shape.buckets = 2;
    shape.activation = activation;
    ModelFile model(SwiftEncoder(data::SwiftFeatureSet::Pieces, shape));
    Rng rng(Seed{1});
    std::get<SwiftEncoder>(model.encoder).weights.randomize(rng);
    return model;
}

ModelFile swift_model() {
    ModelFile model = bare_model();
    model.axis = *axis_from_mover_means(std::vector<float>{0.8f, 0, 0.1f, 0, 0, 0, 0, 0.2f},
                                        std::vector<float>{-0.6f, 0.1f, 0, 0, 0, 0, 0, 0.3f});
    model.calibration = *Calibration::from_knots({-0.5f, 0, 0.5f}, {0.1f, 0.5f, 0.9f});
    model.provenance = {"epochs = 3\n", "xxh64:0123", "{\"spearman\": 0.95}", "0.1.0",
                        "solis train x"};
    model.other_metadata["license"] = "CC0";
    return model;
}

void expect_equal(const ModelFile& a, const ModelFile& b) {
    ASSERT_EQ(a.encoder_kind(), b.encoder_kind());
    const nn::TensorFile first = to_tensors(a), second = to_tensors(b);
    EXPECT_EQ(first.metadata, second.metadata);
    ASSERT_EQ(first.tensors.size(), second.tensors.size());
    for (std::size_t i = 0; i < first.tensors.size(); ++i) {
        EXPECT_EQ(first.tensors[i].name, second.tensors[i].name);
        EXPECT_EQ(first.tensors[i].shape, second.tensors[i].shape);
        EXPECT_EQ(first.tensors[i].values, second.tensors[i].values);
    }
    EXPECT_EQ(a.axis, b.axis);
    EXPECT_EQ(a.calibration, b.calibration);
    EXPECT_EQ(a.provenance, b.provenance);
    EXPECT_EQ(a.other_metadata, b.other_metadata);
    ASSERT_EQ(a.endings == nullptr, b.endings == nullptr);
    if (a.endings != nullptr) expect_equal(*a.endings, *b.endings);
}

// Its endings have other features, sizes and axis than the model itself.
ModelFile model_with_endings() {
    nn::SwiftShape shape;
    shape.accumulators = 128;
    shape.dims = 16;
    ModelFile endings(SwiftEncoder(data::SwiftFeatureSet::Threats, shape));
    Rng rng(Seed{2});
    std::get<SwiftEncoder>(endings.encoder).weights.randomize(rng);
    std::vector<float> white(16), black(16);
    white[3] = 0.5f, black[3] = -0.5f;
    endings.axis = *axis_from_means(white, black);
    endings.calibration = *Calibration::from_knots({-0.2f, 0, 0.2f}, {0, 0.5f, 1});
    endings.provenance.command = "solis train --preset endings";
    ModelFile model = swift_model();
    EXPECT_TRUE(attach_endings(model, std::move(endings)));
    return model;
}

void remove(nn::TensorFile& file, std::string_view name) {
    std::erase_if(file.tensors, [&](const nn::Tensor& one) { return one.name == name; });
}

TEST(ModelFile, WhatIsSavedIsLoaded) {
    const TemporaryFolder folder;
    const auto path = folder / "model.safetensors";
    for (const ModelFile& model :
         {swift_model(), bare_model(), bare_model(nn::SwiftActivation::Pairs),
          bare_model(nn::SwiftActivation::Squared, 16), model_with_endings()}) {
        ASSERT_TRUE(save_model(path, model));
        const auto again = load_model(path);
        std::filesystem::remove(path);
        ASSERT_TRUE(again) << again.error().message;
        expect_equal(*again, model);
    }
}

TEST(ModelFile, SavingTwiceGivesTheSameBytes) {
    const std::string bytes = nn::to_safetensors(to_tensors(swift_model()));
    const auto again = parse_model(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(nn::to_safetensors(to_tensors(*again)), bytes);
}

TEST(ModelFile, WithoutAxisLoadsButCannotScore) {
    const auto model = from_tensors(to_tensors(bare_model()));
    ASSERT_TRUE(model) << model.error().message;
    const auto ok = model->check_can_score();
    ASSERT_FALSE(ok);
    EXPECT_EQ(ok.error().message, "the model has no advantage axis");
    EXPECT_EQ(ok.error().hint, "add it: solis axis --model FILE --data LABELS");
    ModelFile uncalibrated = swift_model();
    uncalibrated.calibration.reset();
    EXPECT_EQ(uncalibrated.check_can_score().error().message, "the model has no calibration");
    EXPECT_TRUE(swift_model().check_can_score());
}

TEST(ModelFile, UnknownFormatsEncodersAndFeaturesAreRefused) {
    const auto with = [](const char* key, const char* value) {
        return error_after(swift_model(),
                           [&](nn::TensorFile& file) { file.metadata[key] = value; });
    };
    const auto without = [](const char* key) {
        return error_after(swift_model(), [&](nn::TensorFile& file) { file.metadata.erase(key); });
    };
    EXPECT_EQ(with("solis.format", "2"), "metadata 'solis.format' is '2', expected '1'");
    EXPECT_EQ(without("solis.format"), "metadata 'solis.format' is missing");
    EXPECT_EQ(with("solis.encoder", "quick"),
              "metadata 'solis.encoder' is 'quick', expected 'swift', 'transformer' or 'process'");
    EXPECT_EQ(with("solis.swift.features", "smells"), "unknown swift feature set 'smells'");
    EXPECT_EQ(with("solis.swift.activation", "relu"),
              "metadata 'solis.swift.activation' is 'relu', expected 'squared' or 'pairs'");
    EXPECT_EQ(with("solis.swift.dims", "-8"),
              "metadata 'solis.swift.dims' is '-8', expected a number");
    EXPECT_EQ(with("solis.swift.dims", "8 "),
              "metadata 'solis.swift.dims' is '8 ', expected a number");
    EXPECT_EQ(without("solis.swift.dims"), "metadata 'solis.swift.dims' is missing");
    EXPECT_EQ(with("solis.swift.accumulators", "999999999"),
              "swift: accumulators is 999999999, expected 64..4096");
    EXPECT_EQ(with("solis.colour", "red"), "unknown metadata 'solis.colour'");
    EXPECT_EQ(with("colour", "red"), "accepted");
}

TEST(ModelFile, TensorsThatDoNotFitAreRefusedByName) {
    EXPECT_EQ(error_after(swift_model(), [](nn::TensorFile& file) { remove(file, "output.bias"); }),
              "tensor 'output.bias' of shape [2, 8] is missing");
    EXPECT_EQ(error_after(
                  swift_model(),
                  [](nn::TensorFile& file) { file.metadata["solis.swift.features"] = "threats"; }),
              "tensor 'input.weight' has shape [768, 64], expected [2304, 64]");
    EXPECT_EQ(error_after(
                  swift_model(),
                  [](nn::TensorFile& file) { file.metadata["solis.swift.activation"] = "pairs"; }),
              "tensor 'output.weight' has shape [2, 128, 8], expected [2, 64, 8]");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) {
                              file.tensors.emplace_back("hidden.weight",
                                                        std::vector<std::size_t>{3});
                          }),
              "unknown tensor 'hidden.weight' of shape [3]");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) { file.metadata["solis.swift.tail"] = "16"; }),
              "tensor 'tail.weight' of shape [2, 8, 16] is missing");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) { file.metadata["solis.swift.tail"] = "9"; }),
              "swift: tail is 9, expected a multiple of 16");
    EXPECT_EQ(error_after(bare_model(nn::SwiftActivation::Squared, 16),
                          [](nn::TensorFile& file) { file.metadata.erase("solis.swift.tail"); }),
              "unknown tensor 'tail.weight' of shape [2, 8, 16]");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) { tensor(file, "input.bias").values[5] = NAN; }),
              "tensor 'input.bias' has nan at index 5, expected finite numbers");
    EXPECT_EQ(error_after(
                  swift_model(),
                  [](nn::TensorFile& file) { tensor(file, "output.bias").values[15] = -INFINITY; }),
              "tensor 'output.bias' has -inf at index 15, expected finite numbers");
}

TEST(ModelFile, ClaimedSizesReserveNoMemoryBeforeTheTensorsAreChecked) {
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) {
                              file.metadata["solis.swift.accumulators"] = "4096";
                              file.metadata["solis.swift.dims"] = "1024";
                              file.metadata["solis.swift.buckets"] = "32";
                          }),
              "tensor 'input.weight' has shape [768, 64], expected [768, 4096]");
}

TEST(ModelFile, BadAxesAndCalibrationsAreRefused) {
    EXPECT_EQ(
        error_after(swift_model(), [](nn::TensorFile& file) { remove(file, "axis.mu_black"); }),
        "tensor 'axis.mu_white' is there, 'axis.mu_black' is missing");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) {
                              tensor(file, "axis.mu_black").values =
                                  tensor(file, "axis.mu_white").values;
                          }),
              "axis: the means of won and lost positions are 0 apart, expected at least 0.001");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) {
                              tensor(file, "axis.mu_white") = nn::Tensor("axis.mu_white", {4});
                          }),
              "tensor 'axis.mu_white' has shape [4], expected [8]");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) {
                              tensor(file, "axis.mu_white").values.assign(8, 2.0f);
                          }),
              "axis: mu_white has length 5.657, expected at most 1 for a mean of unit vectors");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) {
                              remove(file, "axis.mu_white");
                              remove(file, "axis.mu_black");
                          }),
              "the model has a calibration but no advantage axis");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) {
                              tensor(file, "calibration.p").values = {0.1f, 0.9f, 0.5f};
                          }),
              "calibration: knot 2: p = 0.5 after 0.9, expected p to rise with the score");
    EXPECT_EQ(error_after(swift_model(),
                          [](nn::TensorFile& file) {
                              tensor(file, "calibration.p") = nn::Tensor("calibration.p", {4});
                          }),
              "tensor 'calibration.p' has shape [4], expected [3]");
}

TEST(ModelFile, ErrorsOfFilesNameThePath) {
    EXPECT_EQ(load_model("/nonexistent/model").error().message,
              "cannot open '/nonexistent/model': No such file or directory");
}

TEST(ModelFile, ImportInfersTheSizesFromTheTensors) {
    for (const auto activation : {nn::SwiftActivation::Squared, nn::SwiftActivation::Pairs}) {
        const ModelFile model = bare_model(activation);
        nn::TensorFile file = to_tensors(model);
        file.metadata.clear();
        const auto nameless = import_tensors(file, {.features = "", .tokenizer = {}});
        ASSERT_FALSE(nameless);
        EXPECT_EQ(nameless.error().message,
                  "the file does not say which inputs the weights are for");
        const auto imported = import_tensors(file, {.features = "pieces", .tokenizer = {}});
        ASSERT_TRUE(imported) << imported.error().message;
        expect_equal(*imported, model);
        const auto wrong = import_tensors(file, {.features = "relations", .tokenizer = {}});
        ASSERT_FALSE(wrong);
        EXPECT_EQ(wrong.error().message,
                  "tensor 'input.weight' has shape [768, 64], expected [6144, 64]");
    }
}

TEST(ModelFile, ImportSaysWhichTensorsItNeeds) {
    nn::TensorFile file;
    EXPECT_EQ(import_tensors(file, {.features = "pieces", .tokenizer = {}}).error().message,
              "tensor 'input.weight' of shape [inputs, accumulators] is missing");
    file.tensors.emplace_back("input.weight", std::vector<std::size_t>{5});
    EXPECT_EQ(import_tensors(file, {.features = "pieces", .tokenizer = {}}).error().message,
              "tensor 'input.weight' has shape [5], expected [inputs, accumulators]");
}

TEST(ModelFile, EndingsThatDoNotFitAreRefusedByName) {
    const auto error = [](auto&& change) { return error_after(model_with_endings(), change); };
    EXPECT_EQ(error([](nn::TensorFile& file) { remove(file, "endings.input.bias"); }),
              "endings: tensor 'input.bias' of shape [128] is missing");
    EXPECT_EQ(error([](nn::TensorFile& file) {
                  file.metadata["solis.endings.swift.features"] = "pieces";
              }),
              "endings: tensor 'input.weight' has shape [2304, 128], expected [768, 128]");
    EXPECT_EQ(error([](nn::TensorFile& file) {
                  remove(file, "endings.calibration.score");
                  remove(file, "endings.calibration.p");
              }),
              "endings: the model has no calibration");
    EXPECT_EQ(error([](nn::TensorFile& file) {
                  file.tensors.emplace_back("endings.endings.input.bias",
                                            std::vector<std::size_t>{2});
              }),
              "endings: unknown tensor 'endings.input.bias' of shape [2]");
    EXPECT_EQ(error([](nn::TensorFile& file) { file.metadata["solis.endings.smell"] = "sour"; }),
              "endings: unknown metadata 'solis.smell'");
    EXPECT_EQ(
        error_after(swift_model(),
                    [](nn::TensorFile& file) { file.metadata["solis.endings.version"] = "0.1.0"; }),
        "endings: metadata 'solis.format' is missing");
}

TEST(ModelFile, OnlyACompleteSwiftModelWithoutEndingsCanBeAttached) {
    ModelFile game = swift_model();
    EXPECT_EQ(attach_endings(game, bare_model()).error().message,
              "the model has no advantage axis");
    EXPECT_EQ(attach_endings(game, model_with_endings()).error().message,
              "the model has endings itself");
    nn::TransformerShape shape;
    shape.vocabulary = 31;
    shape.dims = 16;
    shape.heads = 1;
    shape.mlp = 16;
    shape.layers = 1;
    ModelFile slow(TransformerEncoder(data::Tokenizer::Deepmind, shape));
    EXPECT_EQ(attach_endings(game, slow).error().message,
              "the encoder is 'transformer', expected 'swift'");
    EXPECT_EQ(game.endings, nullptr);
    EXPECT_TRUE(attach_endings(slow, swift_model())) << "any model may have endings";
    EXPECT_TRUE(from_tensors(to_tensors(slow)));
}

}  // namespace
}  // namespace solis::model
