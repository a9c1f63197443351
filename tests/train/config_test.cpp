// The training configuration documents and checks itself.
#include "solis/train/config.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/model/model_file.h"
#include "solis/train/config_fields.h"
#include "solis/train/schedule.h"
#include "solis/train/trainable.h"

namespace solis::train {
namespace {

TEST(TrainConfig, TomlRoundTripKeepsEveryField) {
    TrainConfig config;
    config.data.stores = {"a.store", "odd \"name\"\\.store"};
    config.data.skip_in_check = true;
    config.loss.temperature = 0.1;
    config.loss.margin = 1;
    config.run.batch = 4096;
    config.loss.kind = LossKind::RankN;
    const auto again = parse_config(to_toml(config), TrainConfig{});
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, config);
}

// Configs of stored runs and of models outlive the names of their time.
TEST(TrainConfig, KeysAndValuesOfOlderVersionsAreRead) {
    std::vector<std::string> notes;
    const auto config = parse_config(
        "views = \"siblings\"\nlabels = \"chance\"\nlessons = 4\nmate_range = 0.0\ntail = 0\n",
        TrainConfig{}, &notes);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->loss.batching, Batching::Siblings);
    EXPECT_EQ(config->loss.labels, LabelKind::WinProbability);
    EXPECT_EQ(config->auxiliary.weight, 4);
    EXPECT_TRUE(notes.empty()) << notes[0];
    EXPECT_EQ(parse_config("labels = \"distance\"", TrainConfig{})->loss.labels,
              LabelKind::MateDistance);
    // What asked for something that is no longer done is read, with a word.
    ASSERT_TRUE(parse_config("\nmate_range = 0.5", TrainConfig{}, &notes));
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0], "config, line 2: 'mate_range' is no longer used and is left out");
    const auto both = parse_config("batching = \"exact\"\nviews = \"paper\"", TrainConfig{});
    ASSERT_FALSE(both);
    EXPECT_EQ(both.error().message, "config, line 2: 'views' is an older name of 'batching'");
}

// `teacher` was the model of the auxiliary loss before it was a net.
TEST(TrainConfig, TeachersOfOlderVersionsAreThoseOfTheAuxiliaryLoss) {
    const TrainConfig mini = *preset("mini-cpu");
    for (const char* name : {"", "default", "some/model.safetensors"}) {
        const auto config = parse_config(fmt::format("teacher = \"{}\"", name), mini);
        ASSERT_TRUE(config);
        EXPECT_EQ(config->auxiliary.teacher, name);
        EXPECT_EQ(config->data.teacher, "");
    }
    const auto net = parse_config("teacher = \"net.nnue\"", mini);
    ASSERT_TRUE(net);
    EXPECT_EQ(net->auxiliary.teacher, "default");
    EXPECT_EQ(net->data.teacher, "net.nnue");
    const auto both = parse_config("teacher = \"default\"\nauxiliary_teacher = \"\"", mini);
    ASSERT_TRUE(both);
    EXPECT_EQ(both->auxiliary.teacher, "");
    EXPECT_EQ(both->data.teacher, "default") << "a file of that name";
}

TEST(TrainConfig, ATeacherNeedsChildrenForSiblingsAndKnowsNoDistances) {
    TrainConfig config;
    config.data.stores = {"a.store"};
    config.data.teacher = "net.nnue";
    EXPECT_TRUE(validate(config));
    config.loss.batching = Batching::Siblings;
    EXPECT_TRUE(validate(config));
    config.data.teacher_two_ply_share = 0.5;
    EXPECT_TRUE(validate(config));
    config.data.teacher_two_ply_share = 1;
    EXPECT_FALSE(validate(config)) << "no child is one move away";
    config.data.teacher_two_ply_share = 0;
    config.data.teacher_children = 0;
    EXPECT_FALSE(validate(config));
    config.loss.batching = Batching::Exact;
    EXPECT_TRUE(validate(config));
    config.loss.labels = LabelKind::MateDistance;
    EXPECT_FALSE(validate(config));
}

TEST(TrainConfig, ConfigsInsideOurModelsAreRead) {
    for (const char* name : {"default", "mini"}) {
        const auto model = model::load_model(SOLIS_TEST_FILES "/../../models/" + std::string(name) +
                                             ".safetensors");
        ASSERT_TRUE(model) << model.error().message;
        ASSERT_FALSE(model->provenance.training_config.empty());
        const auto config = parse_config(model->provenance.training_config, TrainConfig{});
        ASSERT_TRUE(config) << name << ": " << config.error().message;
        EXPECT_EQ(config->data.teacher, "") << name;
    }
}

TEST(TrainConfig, KeysAndOptionNamesAreUnique) {
    std::set<std::string> keys;
    const TrainConfig config;
    visit_fields(config,
                 [&](std::string_view key, const auto&, const FieldRule& rule, const char*) {
                     EXPECT_TRUE(keys.emplace(key).second) << key;
                     if (!rule.old_key.empty()) {
                         EXPECT_TRUE(keys.emplace(rule.old_key).second) << rule.old_key;
                     }
                 });
}

TEST(TrainConfig, ErrorsNameLineAndKey) {
    const auto unknown = parse_config("batch = 64\nbacth = 128\n", TrainConfig{});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "config, line 2: unknown key 'bacth'");
    const auto wrong = parse_config("\nbatch = \"many\"\n", TrainConfig{});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message, "config, line 2: batch has the wrong type");
    EXPECT_FALSE(parse_config("batch = [", TrainConfig{}));
    const auto foreign =
        parse_config("# \xC3\xA9\ndevice = \"\xC3\xA9\"\nb\xC3\xA9 = 1", TrainConfig{});
    ASSERT_FALSE(foreign);
    EXPECT_EQ(foreign.error().message,
              "config, line 3: letters beyond ASCII stand in double quotes only");
    const auto table = parse_config("batch = 64\n [run]\nsteps = 1\n", TrainConfig{});
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().message, "config, line 2: a config has no tables");
}

// The library that reads TOML is undefined on these, so they are refused before it sees them.
TEST(TrainConfig, WhatItsParserCannotTakeIsRefused) {
    const std::pair<const char*, const char*> refused[] = {
        {"batch = 64\n[[[", "config, line 2: a config has no tables and no lists of lists"},
        {"stores = [[[}]]]", "config, line 1: a config has no tables and no lists of lists"},
        {"stores = [ {} ]", "config, line 1: a config has no tables and no lists of lists"},
        {"out = '''x'''", "config, line 1: a text stands on one line"},
        {"out = 'x", "config, line 1: a text is not closed"},
        {"batch = 0[\"\xE2\xBB\xBF\"\n]", "config, line 1: a list stands after '='"},
        {"batch = 1111-12-2", "config, line 1: a word is neither a key nor a number"},
        {"batch = -111111111 1", "config, line 1: two words stand side by side"},
        {"batch = 1:2", "config, line 1: a sign stands outside quotes that no config needs"},
        {"batch = 11\x11", "config, line 1: a control character stands in the line"},
        {"out = 'q\xEF\xB9\xBF'",
         "config, line 1: letters beyond ASCII stand in double quotes only"},
        {"device = \"\\\xC3\xA9\"",
         "config, line 1: a backslash stands before a letter beyond ASCII"},
        {"device = \"\xFF\"", "config, line 1: the line is not UTF-8"},
        {"out = -lc'\xEF\xBB\xB8'", "config, line 1: a quote stands inside a word"}};
    for (const auto& [text, message] : refused) {
        const auto answer = parse_config(text, TrainConfig{});
        ASSERT_FALSE(answer) << text;
        EXPECT_EQ(answer.error().message, message) << text;
    }
}

TEST(TrainConfig, NumbersAreReadInEveryForm) {
    const auto config = parse_config(
        "learning_rate = 1e-05\nmargin=+0.5 # half\r\nsteps = 1_000 \nskip_in_check = true\n"
        "temperature = 2.5E-1\n",
        TrainConfig{});
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->optimizer.learning_rate, 1e-5);
    EXPECT_EQ(config->loss.margin, 0.5);
    EXPECT_EQ(config->run.steps, 1000);
    EXPECT_TRUE(config->data.skip_in_check);
    EXPECT_EQ(config->loss.temperature, 0.25);
}

TEST(TrainConfig, TextsKeepTheirLettersAndEscapes) {
    const auto config = parse_config(
        "stores = [\"\xC3\xA9.sgt\", \"\xE2\xBB\xBF \\\"#\", # \xC3\xA9\n"
        "  \"\xF0\x9F\x8C\x9E\\\\\", 'a#b']\n",
        TrainConfig{});
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->data.stores, (std::vector<std::string>{"\xC3\xA9.sgt", "\xE2\xBB\xBF \"#",
                                                             "\xF0\x9F\x8C\x9E\\", "a#b"}));
}

TEST(TrainConfig, ValidationNamesTheField) {
    TrainConfig config;
    config.data.stores = {"a.store"};
    EXPECT_TRUE(validate(config));
    const auto bad_loss = parse_config("batch = 64\nloss = \"magic\"", config);
    ASSERT_FALSE(bad_loss);
    EXPECT_EQ(bad_loss.error().message, "config, line 2: loss = \"magic\" is unknown");
    EXPECT_EQ(bad_loss.error().hint, "known are: supcon, soft, rnc, regression");
    config.run.epochs = std::nan("");
    EXPECT_FALSE(validate(config));
    config.run.epochs = 1;
    config.loss.landmarks = 1;
    EXPECT_FALSE(validate(config)) << "one landmark has no place on an arc";
    config.loss.landmarks = 0;
    config.run.batch = 1;
    const auto bad_batch = validate(config);
    ASSERT_FALSE(bad_batch);
    EXPECT_EQ(bad_batch.error().message, "batch = 1 is outside 8..65536");
}

TEST(TrainConfig, DistancesHaveTheirDrawInTheMiddle) {
    auto config = preset("endings");
    ASSERT_TRUE(config);
    config->data.stores = {"a.store"};
    config->loss.landmark_middle = 0.6;
    EXPECT_EQ(validate(*config).error().message,
              "landmark_middle = 0.6 does not go with labels = \"mate_distance\"");
    config->loss.landmark_middle = 0.5;
    EXPECT_TRUE(validate(*config));
}

TEST(TrainConfig, TheAuxiliaryLossIsForTransformersOfOurOwn) {
    TrainConfig config;
    config.data.stores = {"a.store"};
    config.auxiliary.weight = 1;
    EXPECT_FALSE(validate(config)) << "swift has no rows of squares";
    config.encoder.kind = EncoderKind::Transformer;
    EXPECT_TRUE(validate(config));
    config.run.backend = Backend::Torch;
    EXPECT_FALSE(validate(config));
    config.run.backend = Backend::Native;
    config.auxiliary.moves = 0.1;
    EXPECT_FALSE(validate(config)) << "moves are for a teacher to judge";
    config.auxiliary.teacher = "default";
    EXPECT_TRUE(validate(config));
    config.run.backend = Backend::Torch;
    config.auxiliary.weight = 0;
    EXPECT_TRUE(validate(config)) << "nobody asks the teacher";
}

TEST(TrainConfig, EveryPresetIsValid) {
    for (const std::string_view name : preset_names()) {
        auto config = preset(name);
        ASSERT_TRUE(config) << name;
        config->data.stores = {"a.store"};
        EXPECT_TRUE(validate(*config)) << name;
    }
    EXPECT_FALSE(preset("swfit"));
}

TEST(TrainConfig, LibTorchThatCannotServeIsRefusedWithTheWayToBuildIt) {
    auto config = preset("mini-paper");
    ASSERT_TRUE(config);
    config->data.stores = {"a.store"};
    config->run.backend = Backend::Torch;
    EXPECT_TRUE(validate(*config));
    // No module lies beside this program, whatever was built in.
    Rng rng(Seed{1});
    const auto encoder = make_trainable(*config, rng);
    ASSERT_FALSE(encoder);
    EXPECT_NE(encoder.error().message.find("solis-torch.so"), std::string::npos)
        << encoder.error().message;
    EXPECT_NE(encoder.error().hint.find("SOLIS_LIBTORCH"), std::string::npos)
        << encoder.error().hint;

    config->encoder.kind = EncoderKind::Swift;
    EXPECT_FALSE(validate(*config));
    config->encoder.kind = EncoderKind::Transformer;
    config->run.backend = Backend::Native;
    config->run.device = "cuda";
    EXPECT_FALSE(validate(*config));
}

TEST(TrainConfig, BFloat16IsForTransformersOfTheNativeBackend) {
    auto config = preset("mini-paper");
    ASSERT_TRUE(config);
    config->data.stores = {"a.store"};
    config->run.precision = PrecisionChoice::BFloat16;
    EXPECT_TRUE(validate(*config));
    config->run.backend = Backend::Torch;
    EXPECT_FALSE(validate(*config));
    config->run.backend = Backend::Native;
    config->encoder.kind = EncoderKind::Swift;
    EXPECT_FALSE(validate(*config));
}

TEST(Schedule, RisesThenFallsToTheFinalRate) {
    TrainConfig config;
    config.optimizer.learning_rate = 1;
    config.optimizer.warmup = 0.1;
    config.optimizer.final_rate = 0.05;
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
