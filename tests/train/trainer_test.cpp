// Training runs: they learn, and threads, interruptions and kills do not change a bit of them.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/base/byte_source.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/data/ending_source.h"
#include "solis/data/store/writer.h"
#include "solis/model/metrics.h"
#include "solis/model/model_file.h"
#include "solis/model/open.h"
#include "solis/model/scorer.h"
#include "solis/nn/kernels/bf16_panels.h"
#include "solis/train/config_fields.h"
#include "tests/base/temporary_folder.h"
#include "tests/train/training_runs.h"

namespace solis::train {
namespace {

using chess::Color;
using chess::PieceType;
using chess::Position;
using data::Score;

constexpr std::size_t kGames = 400;
constexpr std::size_t kPlies = 60;

int material(const Position& position, Color side) {
    constexpr int kCentipawns[]{100, 300, 300, 500, 900, 0};
    int sum = 0;
    for (int type = 0; type < 6; ++type) {
        sum +=
            kCentipawns[type] * chess::count(position.pieces(side, static_cast<PieceType>(type)));
    }
    return sum;
}

// Material as an engine would put it: more than a rook ahead is a forced mate.
Score score_of(const Position& position) {
    const Color us = position.side_to_move();
    const int ahead = material(position, us) - material(position, ~us);
    if (ahead > 500) return Score::mate_in(9);
    if (ahead < -500) return Score::mated_in(9);
    return Score::centipawns(ahead);
}

// With branches, another move of every position is labelled too.
data::LabelledGame random_game(Rng& rng, bool branches) {
    data::LabelledGame game;
    Position position = game.start;
    game.line.push_back({{}, score_of(position), {}, 0});
    while (game.line.size() < kPlies) {
        const chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) break;
        if (branches) {
            const chess::Move other = moves[rng.below(moves.size())];
            game.branches.push_back({other, {}, score_of(position.after(other))});
            game.line.back().branch_count = 1;
        }
        const chess::Move move = moves[rng.below(moves.size())];
        position = position.after(move);
        game.line.push_back({move, score_of(position), {}, 0});
    }
    return game;
}

std::string bytes_of(const std::filesystem::path& path) {
    auto bytes = read_file(path.string());
    EXPECT_TRUE(bytes) << path;
    return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
}

class TrainerTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        store_folder_ = new TemporaryFolder();
        write_games("games.sgt", false);
        write_games("siblings.sgt", true);
    }
    static void write_games(const char* name, bool branches) {
        auto writer = data::StoreWriter::create(*store_folder_ / name, {});
        ASSERT_TRUE(writer) << writer.error().message;
        Rng rng(Seed{9});
        for (std::size_t i = 0; i < kGames; ++i) {
            ASSERT_TRUE(writer->append(random_game(rng, branches)));
        }
        ASSERT_TRUE(writer->close());
    }
    static void TearDownTestSuite() { delete store_folder_; }

    // A small run that takes well under a second.
    static TrainConfig small_config() {
        TrainConfig config;
        config.data.stores = {(*store_folder_ / "games.sgt").string()};
        config.encoder.features = data::SwiftFeatureSet::Pieces;
        config.encoder.accumulators = 64;
        config.encoder.dims = 16;
        config.optimizer.learning_rate = 5e-3;
        config.run.batch = 64;
        config.run.steps = 320;
        config.run.threads = 1;
        config.validation.every = 100;
        config.validation.positions = 300;
        config.validation.moves = 20;
        config.run.checkpoint_seconds = 0;
        return config;
    }

    static TrainConfig small_transformer() {
        TrainConfig config = small_config();
        config.encoder.kind = EncoderKind::Transformer;
        config.encoder.dims = 32;
        config.encoder.heads = 2;
        config.encoder.mlp = 32;
        config.encoder.layers = 2;
        config.optimizer.learning_rate = 3e-3;
        config.validation.moves = 5;
        return config;
    }

    static void expect_same_run(const std::filesystem::path& a, const std::filesystem::path& b) {
        for (const char* file : {"checkpoint.safetensors", "metrics.jsonl", "model.safetensors"}) {
            EXPECT_EQ(bytes_of(a / file), bytes_of(b / file)) << file;
        }
    }

    static std::vector<double> losses(const TrainConfig& config,
                                      const std::filesystem::path& folder) {
        std::vector<double> all;
        auto trainer = Trainer::open(config, folder);
        EXPECT_TRUE(trainer) << trainer.error().message;
        while (trainer && (*trainer)->step() < (*trainer)->steps()) {
            const auto report = (*trainer)->advance();
            EXPECT_TRUE(report) << report.error().message;
            if (!report) break;
            all.push_back(report->loss);
        }
        return all;
    }

    static double mean(const std::vector<double>& values, std::size_t begin, std::size_t count) {
        double sum = 0;
        for (std::size_t i = begin; i < begin + count; ++i) sum += values[i];
        return sum / static_cast<double>(count);
    }

    static TemporaryFolder* store_folder_;
    TemporaryFolder folder_;
};

TemporaryFolder* TrainerTest::store_folder_ = nullptr;

TEST_F(TrainerTest, EveryLossFallsWithEveryBatching) {
    for (const auto& [batching, batching_name, unused] : kChoices<Batching>) {
        for (const auto& [loss, loss_name, unused_too] : kChoices<LossKind>) {
            TrainConfig config = small_config();
            config.loss.kind = loss;
            config.loss.batching = batching;
            if (config.loss.batching == Batching::Siblings) {
                config.data.stores = {(*store_folder_ / "siblings.sgt").string()};
            }
            config.run.steps = 160;
            const std::vector<double> all =
                losses(config, folder_ / fmt::format("{}-{}", batching_name, loss_name));
            ASSERT_EQ(all.size(), 160u) << batching_name << " " << loss_name;
            EXPECT_LT(mean(all, 120, 40), mean(all, 0, 40)) << batching_name << " " << loss_name;
        }
    }
}

TEST_F(TrainerTest, EveryEncoderShapeAndOptimizerLearns) {
    TrainConfig config = small_config();
    config.encoder.features = data::SwiftFeatureSet::Relations;
    config.encoder.activation = nn::SwiftActivation::Pairs;
    config.encoder.buckets = 4;
    config.run.steps = 120;
    config.optimizer.clip = 1;
    std::vector<double> all = losses(config, folder_ / "relations");
    EXPECT_LT(mean(all, 80, 40), mean(all, 0, 40));
    config = small_config();
    config.encoder.features = data::SwiftFeatureSet::Threats;
    config.optimizer.kind = nn::OptimizerKind::Sgd;
    config.optimizer.learning_rate = 0.1;
    config.optimizer.schedule = Schedule::Step;
    all = losses(config, folder_ / "sgd");
    EXPECT_LT(mean(all, 280, 40), mean(all, 0, 40));
    config = small_config();
    config.loss.contrast_group = 32;
    config.loss.regression_weight = 2;
    config.run.steps = 120;
    all = losses(config, folder_ / "groups");
    EXPECT_LT(mean(all, 80, 40), mean(all, 0, 40));
}

// A transformer that takes a second or two.
TEST_F(TrainerTest, TransformersLearnToRankHeldOutPositionsByMaterial) {
    TrainConfig config = small_transformer();
    config.run.steps = 300;
    config.validation.every = 0;
    const auto result = run(config, folder_ / "run");
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_GT(result->report.spearman, 0.5);
    const auto model = model::load_model(result->model);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_TRUE(model->check_can_score());
    ASSERT_NE(model->transformer(), nullptr);
    // Labels and axis are White's: more material for White is a higher score for either mover.
    const auto ready = model::prepare(*model);
    ASSERT_TRUE(ready) << ready.error().message;
    model::Scorer scorer(*ready);
    for (const char* mover : {"w", "b"}) {
        const auto score = [&](const std::string& board) {
            return scorer.score(*chess::parse_fen(board + " " + mover + " - - 0 20"));
        };
        EXPECT_GT(score("rn2kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
                  score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN2KBNR"))
            << mover;
    }
}

class TransformerTrainerTest : public TrainerTest,
                               public ::testing::WithParamInterface<PrecisionChoice> {};
INSTANTIATE_TEST_SUITE_P(Precisions, TransformerTrainerTest,
                         ::testing::Values(PrecisionChoice::Float, PrecisionChoice::BFloat16));

TEST_P(TransformerTrainerTest, WithDropoutAndAuxiliaryLossResumesAndThreadsDoNotChangeABit) {
    TrainConfig config = small_transformer();
    config.run.precision = GetParam();
    config.encoder.dropout = 0.1;
    config.loss.batching = Batching::Paper;
    config.loss.positives = 3;
    config.run.steps = 12;
    config.validation.every = 6;
    config.auxiliary.weight = 1;
    config.auxiliary.teacher = "default";
    ASSERT_TRUE(run(config, folder_ / "whole"));
    for (const std::uint64_t stop_at : {5u, 9u}) {
        ASSERT_TRUE(run(config, folder_ / "parts", stop_at));
        config.run.threads = 2;
    }
    ASSERT_TRUE(run(config, folder_ / "parts"));
    EXPECT_EQ(bytes_of(folder_ / "whole/metrics.jsonl"), bytes_of(folder_ / "parts/metrics.jsonl"));
    const auto whole = read_checkpoint(folder_ / "whole"),
               parts = read_checkpoint(folder_ / "parts");
    ASSERT_TRUE(whole && parts);
    for (std::size_t i = 0; i < whole->parameters.size(); ++i) {
        EXPECT_EQ(whole->parameters[i].values, parts->parameters[i].values)
            << whole->parameters[i].name;
    }
}

TEST_F(TrainerTest, AutomaticPrecisionIsChosenOnceAndStays) {
    TrainConfig config = small_transformer();
    config.run.steps = 4;
    config.validation.every = 0;
    const auto opened_with = [&](PrecisionChoice precision, std::string_view name) {
        config.run.precision = precision;
        const auto trainer = Trainer::open(config, folder_ / std::string(name));
        return trainer ? std::string(choice_name((*trainer)->config().run.precision))
                       : trainer.error().message;
    };
    EXPECT_EQ(opened_with(PrecisionChoice::Auto, "new"), nn::has_fast_bf16() ? "bf16" : "float");
    for (const PrecisionChoice precision : {PrecisionChoice::Float, PrecisionChoice::BFloat16}) {
        config.run.precision = precision;
        const std::string name(choice_name(precision));
        ASSERT_TRUE(run(config, folder_ / name));
        EXPECT_EQ(opened_with(PrecisionChoice::Auto, name), name);
    }
    // Who asks for it gets another one.
    EXPECT_EQ(opened_with(PrecisionChoice::BFloat16, "float"), "bf16");
    config.encoder.kind = EncoderKind::Swift;
    EXPECT_EQ(opened_with(PrecisionChoice::Auto, "swift"), "float");
}

TEST_F(TrainerTest, LearnsToRankHeldOutPositionsByMaterial) {
    TrainConfig config = small_config();
    config.run.steps = 3000;
    config.validation.every = 0;
    const auto result = run(config, folder_ / "run");
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(result->finished);
    EXPECT_GT(result->report.spearman, 0.8);
    EXPECT_GT(result->report.positions, 100u);
    EXPECT_GT(result->report.questions, 0u);
    const auto model = model::load_model(result->model);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_TRUE(model->check_can_score());
    EXPECT_TRUE(std::filesystem::exists(folder_ / "run/curve.svg"));
}

TEST_F(TrainerTest, ThreadsDoNotChangeABit) {
    TrainConfig config = small_config();
    config.encoder.features = data::SwiftFeatureSet::Threats;
    config.encoder.buckets = 2;
    config.loss.contrast_group = 64;
    config.optimizer.clip = 1;
    config.optimizer.average = 0.99;
    config.run.batch = 200;  // no multiple of what a task takes
    config.run.steps = 120;
    ASSERT_TRUE(run(config, folder_ / "one"));
    config.run.threads = 3;
    ASSERT_TRUE(run(config, folder_ / "three"));
    EXPECT_EQ(bytes_of(folder_ / "one/metrics.jsonl"), bytes_of(folder_ / "three/metrics.jsonl"));
    // The files differ in the config they quote.
    const auto one = read_checkpoint(folder_ / "one"), three = read_checkpoint(folder_ / "three");
    ASSERT_TRUE(one && three);
    const auto expect_equal = [](const std::vector<nn::Tensor>& a,
                                 const std::vector<nn::Tensor>& b) {
        ASSERT_EQ(a.size(), b.size());
        ASSERT_FALSE(a.empty());
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
    };
    expect_equal(one->parameters, three->parameters);
    expect_equal(one->moments, three->moments);
    expect_equal(one->averaged, three->averaged);
}

TEST_F(TrainerTest, InterruptedAndResumedEqualsUninterrupted) {
    TrainConfig config = small_config();
    config.loss.contrast_group = 32;
    config.loss.regression_weight = 2;
    config.optimizer.average = 0.99;
    ASSERT_TRUE(run(config, folder_ / "whole"));
    // Before the first step, inside a stretch of the metrics, at its end, and twice in one.
    for (const std::uint64_t stop_at : {0u, 130u, 200u, 210u, 319u}) {
        const auto part = run(config, folder_ / "parts", stop_at);
        ASSERT_TRUE(part) << part.error().message;
        EXPECT_FALSE(part->finished);
    }
    ASSERT_TRUE(run(config, folder_ / "parts"));
    expect_same_run(folder_ / "whole", folder_ / "parts");
}

TEST_F(TrainerTest, KilledAndResumedEqualsUninterrupted) {
    const TrainConfig config = small_config();
    ASSERT_TRUE(run(config, folder_ / "whole"));
    // Before there is any checkpoint; after one; and far after one, with newer lines in the log.
    run_and_kill(config, folder_ / "killed", 50);
    run_and_kill(config, folder_ / "killed", 150);
    TrainConfig no_checkpoints = config;
    no_checkpoints.run.checkpoint_seconds = 3600;
    run_and_kill(no_checkpoints, folder_ / "killed", 310);
    const auto saved = read_checkpoint(folder_ / "killed");
    ASSERT_TRUE(saved);
    EXPECT_EQ(saved->step, 100u);
    ASSERT_TRUE(run(config, folder_ / "killed"));
    expect_same_run(folder_ / "whole", folder_ / "killed");
}

TEST_F(TrainerTest, ARunOnEndingsLearnsHowFarMatesAre) {
    const auto source = data::make_ending_source({{"R"}, 0, Seed{3}});
    ASSERT_TRUE(source) << source.error().message;
    auto writer = data::StoreWriter::create(*store_folder_ / "endings.sgt", {});
    ASSERT_TRUE(writer) << writer.error().message;
    data::LabelledGame ending;
    for (int i = 0; i < 4000; ++i) {
        ASSERT_TRUE((*source)->next(ending));
        ASSERT_TRUE(writer->append(ending));
    }
    ASSERT_TRUE(writer->close());
    TrainConfig config = small_config();
    config.data.stores = {(*store_folder_ / "endings.sgt").string()};
    config.loss.labels = LabelKind::MateDistance;
    config.loss.landmarks = 32;
    config.data.held_out = 0.1;
    const auto result = run(config, folder_ / "endings");
    ASSERT_TRUE(result) << result.error().message;
    const auto set = ValidationSet::load(config);
    ASSERT_TRUE(set) << set.error().message;
    const auto ready = model::open(result->model);
    ASSERT_TRUE(ready) << ready.error().message;
    model::Scorer scorer(*ready);
    // Among won positions the win probability is the same everywhere, the distance is not.
    std::vector<float> scores, aims;
    for (std::size_t i = 0; i < set->positions.size(); ++i) {
        if (set->labels[i] != 1) continue;
        aims.push_back(set->aims[i]);
        const float score = scorer.score(set->positions[i]);
        scores.push_back(set->positions[i].side_to_move() == Color::White ? score : -score);
    }
    EXPECT_GT(model::spearman(scores, aims), 0.4);
}

TEST_F(TrainerTest, BiasIsMeasuredByKindAndNumberOfPieces) {
    TrainConfig config = small_config();
    config.data.stores = {(*store_folder_ / "siblings.sgt").string()};
    const auto set = ValidationSet::load(config);
    ASSERT_TRUE(set) << set.error().message;
    const auto everything = ValidationSet::load(config, std::nullopt);
    ASSERT_TRUE(everything);
    EXPECT_GE(everything->positions.size(), set->positions.size());
    Rng rng(Seed{1});
    const auto encoder = make_trainable(config, rng);
    ASSERT_TRUE(encoder);
    ThreadPool pool(1);
    const auto fit = validate_encoder(**encoder, *set, pool);
    ASSERT_TRUE(fit) << fit.error().message;
    std::size_t positions = 0, branches = 0;
    double labels = 0;
    for (const BiasRow& row : measure_bias(**encoder, *set, *fit, pool)) {
        positions += row.positions;
        branches += row.kind == data::PositionKind::Branch ? row.positions : 0;
        labels += row.label * static_cast<double>(row.positions);
        EXPECT_GE(row.model, 0);
        EXPECT_LE(row.model, 1);
    }
    EXPECT_EQ(positions, set->positions.size());
    EXPECT_EQ(branches, static_cast<std::size_t>(std::count(set->kinds.begin(), set->kinds.end(),
                                                            data::PositionKind::Branch)));
    EXPECT_NEAR(labels, std::accumulate(set->labels.begin(), set->labels.end(), 0.0), 1e-3);
}

TEST_F(TrainerTest, RunsStartFromAModelOfTheirShapeOnly) {
    TrainConfig config = small_config();
    config.encoder.features = data::SwiftFeatureSet::Threats;
    ASSERT_TRUE(run(config, folder_ / "first"));
    config.encoder.start_from = (folder_ / "first" / "model.safetensors").string();
    config.run.steps = 20;
    const std::vector<double> again = losses(config, folder_ / "second");
    config.encoder.start_from.clear();
    const std::vector<double> fresh = losses(config, folder_ / "third");
    EXPECT_LT(again[0], fresh[0] - 0.1) << "what was learned is there from the first step on";
    config.encoder.start_from = (folder_ / "first" / "model.safetensors").string();
    config.encoder.accumulators = 128;
    EXPECT_TRUE(Trainer::open(config, folder_ / "wider"));
    config.encoder.accumulators = 64;
    config.encoder.dims = 8;
    EXPECT_TRUE(Trainer::open(config, folder_ / "fewer"));
    config.encoder.dims = 32;
    const auto refused = Trainer::open(config, folder_ / "fourth");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("shape"), std::string::npos) << refused.error().message;
}

TEST_F(TrainerTest, TheAuxiliaryLossIsLearntAndStaysOutOfTheModel) {
    TrainConfig config = small_transformer();
    config.auxiliary.weight = 1;
    config.run.steps = 60;
    auto trainer = Trainer::open(config, folder_ / "auxiliary");
    ASSERT_TRUE(trainer) << trainer.error().message;
    std::vector<double> auxiliary_losses;
    while ((*trainer)->step() < (*trainer)->steps()) {
        const auto report = (*trainer)->advance();
        ASSERT_TRUE(report) << report.error().message;
        auxiliary_losses.push_back(report->auxiliary_loss);
    }
    EXPECT_NEAR(auxiliary_losses[0], std::log(2.0), 1e-5) << "nothing is known";
    EXPECT_LT(mean(auxiliary_losses, 50, 10), 0.6 * auxiliary_losses[0]);
    trainer->reset();  // one trainer at a time
    ASSERT_TRUE(run(config, folder_ / "auxiliary"));
    const std::string path = (folder_ / "auxiliary" / "model.safetensors").string();
    const auto model = model::load_model(path);
    ASSERT_TRUE(model) << model.error().message;
    // Without an auxiliary loss and with one a run can go on from there.
    config.encoder.start_from = path;
    EXPECT_TRUE(Trainer::open(config, folder_ / "again"));
    config.auxiliary.weight = 0;
    EXPECT_TRUE(Trainer::open(config, folder_ / "without"));
}

TEST_F(TrainerTest, RunningAFinishedRunAgainChangesNothing) {
    const TrainConfig config = small_config();
    ASSERT_TRUE(run(config, folder_ / "run"));
    const std::string metrics = bytes_of(folder_ / "run/metrics.jsonl");
    const std::string model = bytes_of(folder_ / "run/model.safetensors");
    ASSERT_TRUE(run(config, folder_ / "run"));
    EXPECT_EQ(bytes_of(folder_ / "run/metrics.jsonl"), metrics);
    EXPECT_EQ(bytes_of(folder_ / "run/model.safetensors"), model);
}

TEST_F(TrainerTest, ResumingWithAnotherConfigIsRefusedByFieldName) {
    const TrainConfig config = small_config();
    ASSERT_TRUE(run(config, folder_ / "run", 10));
    const auto error_with = [&](auto&& change) {
        TrainConfig other = config;
        change(other);
        const auto trainer = Trainer::open(other, folder_ / "run");
        return trainer ? std::string("accepted") : trainer.error().message;
    };
    EXPECT_EQ(error_with([](TrainConfig& c) { c.loss.temperature = 0.1; }),
              "this run was started with temperature = 0.07, not 0.1");
    EXPECT_EQ(error_with([](TrainConfig& c) { c.run.batch *= 2; }),
              "this run was started with batch = 64, not 128");
    EXPECT_EQ(
        error_with([](TrainConfig& c) { c.encoder.features = data::SwiftFeatureSet::Threats; }),
        "this run was started with features = \"pieces\", not \"threats\"");
    EXPECT_EQ(error_with([](TrainConfig& c) {
                  c.run.threads = 2;
                  c.run.steps = 400;  // a run may be made longer or shorter
                  c.validation.every = 7;
                  c.run.checkpoint_seconds = 5;
              }),
              "accepted");
}

TEST_F(TrainerTest, DamagedCheckpointsAreRefused) {
    const TrainConfig config = small_config();
    ASSERT_TRUE(run(config, folder_ / "run", 10));
    std::filesystem::resize_file(folder_ / "run/checkpoint.safetensors", 1000);
    EXPECT_FALSE(Trainer::open(config, folder_ / "run"));
}

TEST_F(TrainerTest, DivergenceStopsWithTheLastCheckpointIntact) {
    TrainConfig config = small_config();
    config.optimizer.kind = nn::OptimizerKind::Sgd;
    config.optimizer.schedule = Schedule::Constant;
    config.optimizer.warmup = 0;
    config.optimizer.learning_rate = 10;
    config.optimizer.weight_decay = 10;  // every step multiplies the weights by -99
    ASSERT_TRUE(run(config, folder_ / "run", 3));
    const std::string before = bytes_of(folder_ / "run/checkpoint.safetensors");
    const auto result = run(config, folder_ / "run");
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("is not a number"), std::string::npos)
        << result.error().message;
    EXPECT_NE(result.error().hint.find("learning_rate"), std::string::npos);
    EXPECT_EQ(bytes_of(folder_ / "run/checkpoint.safetensors"), before);
    EXPECT_TRUE(Trainer::open(config, folder_ / "run"));
}

// Weights overflow in the update that follows a loss which was still a number.
TEST_F(TrainerTest, NoCheckpointHasWeightsThatAreNoNumbers) {
    TrainConfig config = small_config();
    config.optimizer.kind = nn::OptimizerKind::Sgd;
    config.optimizer.schedule = Schedule::Constant;
    config.optimizer.warmup = 0;
    config.optimizer.learning_rate = 10;
    config.optimizer.weight_decay = 10;
    auto trainer = Trainer::open(config, folder_ / "run");
    ASSERT_TRUE(trainer) << trainer.error().message;
    std::uint64_t last_saved = 0;
    while ((*trainer)->advance() && (*trainer)->save_checkpoint()) {
        last_saved = (*trainer)->step();
        ASSERT_LT(last_saved, 100u) << "the run should diverge";
    }
    const auto saved = read_checkpoint(folder_ / "run");
    ASSERT_TRUE(saved);
    EXPECT_EQ(saved->step, last_saved);
    for (const nn::Tensor& tensor : saved->parameters) {
        EXPECT_TRUE(std::all_of(tensor.values.begin(), tensor.values.end(), [](float value) {
            return std::isfinite(value);
        })) << tensor.name;
    }
}

TEST_F(TrainerTest, AveragedWeightsLagBehindAndGoIntoTheModel) {
    TrainConfig config = small_config();
    config.optimizer.average = 0.99;
    const auto result = run(config, folder_ / "run");
    ASSERT_TRUE(result) << result.error().message;
    const auto saved = read_checkpoint(folder_ / "run");
    ASSERT_TRUE(saved);
    ASSERT_EQ(saved->averaged.size(), saved->parameters.size());
    const auto model = model::load_model(result->model);
    ASSERT_TRUE(model);
    const auto& in_model = model->swift()->weights.input_weight.values;
    for (std::size_t i = 0; i < saved->averaged.size(); ++i) {
        EXPECT_NE(saved->averaged[i].values, saved->parameters[i].values);
        if (saved->averaged[i].name == "input.weight") {
            EXPECT_EQ(saved->averaged[i].values, in_model);
        }
    }
}

}  // namespace
}  // namespace solis::train
