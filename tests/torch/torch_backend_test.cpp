// The LibTorch backend on LibTorch's CPU device: the same embeddings, losses and gradients as the
// native one, and one run that changes from the one to the other.
#include <cmath>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/data/store/writer.h"
#include "solis/train/loss.h"
#include "solis/train/trainer.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/random_games.h"

namespace solis::train {
namespace {

using chess::Position;

TrainConfig small_transformer(Backend backend) {
    TrainConfig config;
    config.encoder.kind = EncoderKind::Transformer;
    config.encoder.dims = 32;
    config.encoder.heads = 2;
    config.encoder.mlp = 48;
    config.encoder.layers = 3;
    config.run.backend = backend;
    config.run.threads = 1;
    config.run.batch = 32;
    config.optimizer.kind = nn::OptimizerKind::Sgd;
    config.optimizer.learning_rate = 0.05;
    config.optimizer.schedule = Schedule::Constant;
    return config;
}

std::vector<Position> some_positions(std::size_t count) {
    Rng rng(Seed{5});
    std::vector<Position> positions;
    Position position = Position::start();
    while (positions.size() < count) {
        const chess::MoveList moves = chess::legal_moves(position);
        position =
            moves.empty() ? Position::start() : position.after(moves[rng.below(moves.size())]);
        positions.push_back(position);
    }
    return positions;
}

struct Pass {
    std::vector<float> z;
    double loss = 0;
    std::vector<nn::Tensor> gradients;
};

// One pass of the encoder that the config describes, with the weights of its seed.
Pass run_pass(const TrainConfig& config) {
    Rng rng(Seed{7});
    ThreadPool pool(1);
    const auto encoder = make_trainable(config, rng);
    EXPECT_TRUE(encoder) << encoder.error().message << "\n" << encoder.error().hint;
    if (!encoder) return {};
    const std::vector<Position> positions = some_positions(24);
    std::vector<float> labels(positions.size());
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<float>(i) / 24;
    Pass pass;
    pass.z.resize(positions.size() * (*encoder)->dims());
    std::vector<float> d_z(pass.z.size());
    (*encoder)->start_step(0, 0, 1);
    (*encoder)->forward(positions, pool, pass.z);
    Loss loss(config);
    pass.loss = loss(pass.z, labels, (*encoder)->dims(), pool, d_z);
    (*encoder)->backward(d_z, pool);
    const auto status = (*encoder)->take_status();
    EXPECT_TRUE(status) << status.error().message;
    for (const nn::Tensor* gradient : (*encoder)->gradients()) pass.gradients.push_back(*gradient);
    return pass;
}

TEST(TorchBackend, OneStepHasTheLossAndGradientsOfTheNativeBackend) {
    const Pass native = run_pass(small_transformer(Backend::Native));
    const Pass torch = run_pass(small_transformer(Backend::Torch));
    ASSERT_EQ(torch.z.size(), native.z.size());
    for (std::size_t i = 0; i < native.z.size(); ++i) {
        ASSERT_NEAR(torch.z[i], native.z[i], 1e-5) << i;
    }
    EXPECT_NEAR(torch.loss, native.loss, 1e-5 * std::abs(native.loss));
    ASSERT_EQ(torch.gradients.size(), native.gradients.size());
    for (std::size_t t = 0; t < native.gradients.size(); ++t) {
        const std::vector<float>& expected = native.gradients[t].values;
        float largest = 1e-6f;
        for (const float value : expected) largest = std::max(largest, std::abs(value));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_NEAR(torch.gradients[t].values[i], expected[i], 1e-3 * largest + 1e-6)
                << native.gradients[t].name << " " << i;
        }
    }
}

TEST(TorchBackend, DropoutIsDrawnAgainForEveryStepAndRepeatedByItsNumber) {
    TrainConfig config = small_transformer(Backend::Torch);
    config.encoder.dropout = 0.2;
    Rng rng(Seed{7});
    ThreadPool pool(1);
    const auto encoder = make_trainable(config, rng);
    ASSERT_TRUE(encoder) << encoder.error().message;
    const std::vector<Position> positions = some_positions(4);
    const auto embedded_in = [&](std::uint64_t step) {
        std::vector<float> z(positions.size() * (*encoder)->dims());
        (*encoder)->start_step(step, 0, 1);
        (*encoder)->forward(positions, pool, z);
        return z;
    };
    const std::vector<float> first = embedded_in(1);
    EXPECT_NE(embedded_in(2), first);
    EXPECT_EQ(embedded_in(1), first);
}

TEST(TorchBackend, GoesOnFromACheckpointOfTheNativeBackend) {
    const TemporaryFolder folder;
    auto writer = data::StoreWriter::create(folder / "games.sgt", {});
    ASSERT_TRUE(writer) << writer.error().message;
    for (const data::LabelledGame& game : data::random_games(Seed{3}, 60, 40)) {
        ASSERT_TRUE(writer->append(game));
    }
    ASSERT_TRUE(writer->close());
    TrainConfig config = small_transformer(Backend::Native);
    config.data.stores = {(folder / "games.sgt").string()};
    config.data.held_out = 0.1;
    config.run.steps = 6;
    // The loss of step 4, after three steps with the native backend.
    const auto fourth_loss = [&](Backend backend) {
        const auto run = folder / std::string(choice_name(backend));
        const auto open = [&](Backend with) {
            config.run.backend = with;
            return Trainer::open(config, run, std::make_shared<SingleProcess>());
        };
        {
            const auto trainer = open(Backend::Native);
            EXPECT_TRUE(trainer) << trainer.error().message;
            for (int i = 0; i < 3; ++i) EXPECT_TRUE((*trainer)->advance());
            EXPECT_TRUE((*trainer)->save_checkpoint());
        }
        const auto trainer = open(backend);
        EXPECT_TRUE(trainer) << trainer.error().message;
        EXPECT_EQ((*trainer)->step(), 3u);
        const auto report = (*trainer)->advance();
        EXPECT_TRUE(report) << report.error().message;
        return report->loss;
    };
    const double native = fourth_loss(Backend::Native);
    EXPECT_NEAR(fourth_loss(Backend::Torch), native, 1e-4 * std::abs(native));
}

TEST(TorchBackend, UnknownDevicesAreRefusedByName) {
    TrainConfig config = small_transformer(Backend::Torch);
    config.run.device = "abacus";
    Rng rng(Seed{1});
    const auto encoder = make_trainable(config, rng);
    ASSERT_FALSE(encoder);
    EXPECT_NE(encoder.error().message.find("abacus"), std::string::npos) << encoder.error().message;
}

}  // namespace
}  // namespace solis::train
