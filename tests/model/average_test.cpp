// The mean of models.
#include "solis/model/average.h"

#include <gtest/gtest.h>

namespace solis::model {
namespace {

ModelFile trained(Seed seed, int dims = 8, bool with_axis = true, int tail = 0) {
    nn::SwiftShape shape;
    shape.tail = tail;
    shape.accumulators = 64;
    shape.dims = dims;
    ModelFile model(SwiftEncoder(data::SwiftFeatureSet::Pieces, shape));
    Rng rng(seed);
    std::get<SwiftEncoder>(model.encoder).weights.randomize(rng);
    if (with_axis) {
        std::vector<float> white(model.dims()), black(model.dims());
        white[0] = 0.5f + static_cast<float>(rng.unit()) / 4, black[0] = -0.5f;
        model.axis = *axis_from_means(white, black);
        model.calibration = *Calibration::from_knots({-0.5f, 0, 0.5f}, {0.1f, 0.5f, 0.9f});
    }
    return model;
}

std::string refusal(const std::vector<ModelFile>& models) {
    const auto mean = average_models(models);
    return mean ? "" : mean.error().message;
}

TEST(AverageModels, IsTheMeanOfWeightsAndAxes) {
    const std::vector<ModelFile> models{trained(Seed{1}), trained(Seed{2}), trained(Seed{3})};
    const auto mean = average_models(models);
    ASSERT_TRUE(mean) << mean.error().message;
    const auto values = [](const ModelFile& model) {
        return std::span(model.swift()->weights.output_weight.values);
    };
    for (std::size_t i = 0; i < values(*mean).size(); ++i) {
        const float expected =
            (values(models[0])[i] + values(models[1])[i] + values(models[2])[i]) / 3;
        EXPECT_NEAR(values(*mean)[i], expected, 1e-6f) << i;
    }
    ASSERT_TRUE(mean->axis);
    EXPECT_NEAR(
        mean->axis->mu_white[0],
        (models[0].axis->mu_white[0] + models[1].axis->mu_white[0] + models[2].axis->mu_white[0]) /
            3,
        1e-6f);
    EXPECT_FALSE(mean->calibration) << "of scores that are others now";
}

TEST(AverageModels, EndingsAndConfigAreThoseOfTheFirst) {
    std::vector<ModelFile> models{trained(Seed{1}), trained(Seed{2})};
    models[0].provenance.training_config = "seed = 1\n";
    models[1].provenance.training_config = "seed = 2\n";
    ASSERT_TRUE(attach_endings(models[0], trained(Seed{4}, 16)));
    const auto mean = average_models(models);
    ASSERT_TRUE(mean);
    EXPECT_EQ(mean->endings, models[0].endings);
    EXPECT_EQ(mean->provenance.training_config, "seed = 1\n");
}

TEST(AverageModels, WithoutAnAxisInOneThereIsNone) {
    const auto mean = average_models(std::vector{trained(Seed{1}), trained(Seed{2}, 8, false)});
    ASSERT_TRUE(mean);
    EXPECT_FALSE(mean->axis);
}

TEST(AverageModels, OtherEncodersAreNamed) {
    EXPECT_EQ(refusal({trained(Seed{1})}), "one model has no average");
    EXPECT_EQ(refusal({trained(Seed{1}), trained(Seed{2}), trained(Seed{3}, 16)}),
              "model 3: 'solis.swift.dims' is '16', but '8' in the first model");
    const ModelFile tailed = trained(Seed{2}, 8, true, 16);
    EXPECT_EQ(refusal({trained(Seed{1}), tailed}),
              "model 2: 'solis.swift.tail' is '16', but missing in the first model");
    EXPECT_EQ(refusal({tailed, trained(Seed{1})}),
              "model 2: 'solis.swift.tail' is missing, but '16' in the first model");
    nn::TransformerShape shape;
    shape.dims = 32, shape.mlp = 64, shape.layers = 1, shape.heads = 2;
    const ModelFile transformer(TransformerEncoder(data::Tokenizer::Deepmind, shape));
    EXPECT_EQ(refusal({trained(Seed{1}), transformer}),
              "model 2: 'solis.encoder' is 'transformer', but 'swift' in the first model");
    const auto mean = average_models(std::vector{transformer, transformer});
    ASSERT_TRUE(mean) << mean.error().message;
    EXPECT_EQ(mean->transformer()->weights.all[0].values,
              transformer.transformer()->weights.all[0].values);
}

}  // namespace
}  // namespace solis::model
