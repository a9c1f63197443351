// The training configuration documents and checks itself.
#include "solis/train/config.h"

#include <gtest/gtest.h>

#include "solis/train/schedule.h"
#include "solis/train/trainable.h"

namespace solis::train {
namespace {

TEST(TrainConfig, TomlRoundTripKeepsEveryField) {
    TrainConfig config;
    config.stores = {"a.store", "odd \"name\"\\.store"};
    config.skip_in_check = true;
    config.temperature = 0.1;
    config.margin = 1;
    config.batch = 4096;
    config.loss = "rnc";
    const auto again = parse_config(to_toml(config), TrainConfig{});
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, config);
}

TEST(TrainConfig, ErrorsNameLineAndKey) {
    const auto unknown = parse_config("batch = 64\nbacth = 128\n", TrainConfig{});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "config, line 2: unknown key 'bacth'");
    const auto wrong = parse_config("\nbatch = \"many\"\n", TrainConfig{});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message, "config, line 2: batch has the wrong type");
    EXPECT_FALSE(parse_config("batch = [", TrainConfig{}));
}

TEST(TrainConfig, ValidationNamesTheField) {
    TrainConfig config;
    config.stores = {"a.store"};
    EXPECT_TRUE(validate(config));
    config.loss = "magic";
    const auto bad_loss = validate(config);
    ASSERT_FALSE(bad_loss);
    EXPECT_EQ(bad_loss.error().message, "loss = \"magic\" is unknown");
    config.loss = "supcon";
    config.batch = 1;
    const auto bad_batch = validate(config);
    ASSERT_FALSE(bad_batch);
    EXPECT_EQ(bad_batch.error().message, "batch = 1 is outside 8..65536");
}

TEST(TrainConfig, DistancesHaveTheirDrawInTheMiddle) {
    auto config = preset("endings");
    ASSERT_TRUE(config);
    config->stores = {"a.store"};
    config->landmark_middle = 0.6;
    EXPECT_EQ(validate(*config).error().message,
              "landmark_middle = 0.6 does not go with labels = \"distance\"");
    config->landmark_middle = 0.5;
    config->labels = "weather";
    EXPECT_EQ(validate(*config).error().message, "labels = \"weather\" is unknown");
}

TEST(TrainConfig, LessonsAreForTransformersOfOurOwn) {
    TrainConfig config;
    config.stores = {"a.store"};
    config.lessons = 1;
    EXPECT_FALSE(validate(config)) << "swift has no squares to teach";
    config.encoder = "transformer";
    EXPECT_TRUE(validate(config));
    config.backend = "torch";
    EXPECT_FALSE(validate(config));
    config.lessons = 0;
    config.teacher = "default";
    EXPECT_TRUE(validate(config)) << "nobody asks the teacher";
}

TEST(TrainConfig, EveryPresetIsValid) {
    for (const std::string_view name : preset_names()) {
        auto config = preset(name);
        ASSERT_TRUE(config) << name;
        config->stores = {"a.store"};
        EXPECT_TRUE(validate(*config)) << name;
    }
    EXPECT_FALSE(preset("swfit"));
}

TEST(TrainConfig, LibTorchThatCannotServeIsRefusedWithTheWayToBuildIt) {
    auto config = preset("mini-paper");
    ASSERT_TRUE(config);
    config->stores = {"a.store"};
    config->backend = "torch";
    EXPECT_TRUE(validate(*config));
    // No module lies beside this program, whatever was built in.
    Rng rng(Seed{1});
    const auto encoder = make_trainable(*config, rng);
    ASSERT_FALSE(encoder);
    EXPECT_NE(encoder.error().message.find("solis-torch.so"), std::string::npos)
        << encoder.error().message;
    EXPECT_NE(encoder.error().hint.find("SOLIS_LIBTORCH"), std::string::npos)
        << encoder.error().hint;

    config->encoder = "swift";
    EXPECT_FALSE(validate(*config));
    config->encoder = "transformer";
    config->backend = "native";
    config->device = "cuda";
    EXPECT_FALSE(validate(*config));
}

TEST(TrainConfig, BFloat16IsForTransformersOfTheNativeBackend) {
    auto config = preset("mini-paper");
    ASSERT_TRUE(config);
    config->stores = {"a.store"};
    config->precision = "bf16";
    EXPECT_TRUE(validate(*config));
    config->backend = "torch";
    EXPECT_FALSE(validate(*config));
    config->backend = "native";
    config->encoder = "swift";
    EXPECT_FALSE(validate(*config));
    config->precision = "half";
    EXPECT_FALSE(validate(*config));
}

TEST(Schedule, RisesThenFallsToTheFinalRate) {
    TrainConfig config;
    config.learning_rate = 1;
    config.warmup = 0.1;
    config.final_rate = 0.05;
    const std::uint64_t steps = 1000;
    EXPECT_FLOAT_EQ(learning_rate_at(config, 49, steps), 0.5f);
    float last = learning_rate_at(config, 100, steps);
    EXPECT_NEAR(last, 1.0f, 1e-3f);
    for (std::uint64_t step = 101; step < steps; ++step) {
        const float rate = learning_rate_at(config, step, steps);
        EXPECT_LE(rate, last) << step;
        last = rate;
    }
    EXPECT_NEAR(last, 0.05f, 1e-4f);
}

}  // namespace
}  // namespace solis::train
