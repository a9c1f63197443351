// Runs whose labels a teacher makes while they are drawn.
#include <array>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/base/byte_source.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "solis/data/store/writer.h"
#include "solis/model/model_file.h"
#include "solis/model/nnue/teacher.h"
#include "tests/base/temporary_folder.h"
#include "tests/model/material_nnue.h"
#include "tests/nn/random_nnue.h"
#include "tests/train/training_runs.h"

namespace solis::train {
namespace {

// Nothing but moves, where one side mostly lacks a piece.
data::LabelledGame unlabelled_game(Rng& rng) {
    constexpr std::array kStarts{
        chess::kStartFen,
        std::string_view("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        std::string_view("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"),
        std::string_view("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1"),
        std::string_view("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1")};
    data::LabelledGame game;
    game.start = *chess::parse_fen(kStarts[rng.below(kStarts.size())]);
    chess::Position position = game.start;
    game.line.emplace_back();
    while (game.line.size() < 40) {
        const chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) break;
        const chess::Move move = moves[rng.below(moves.size())];
        position = position.after(move);
        game.line.push_back({move, {}, {}, 0});
    }
    return game;
}

// A rook mates by a capture, which quiescence sees: without mates there is no axis.
data::LabelledGame mating_game(int file, int king, int pawn) {
    // A rank with one piece.
    const auto rank = [](int at, char piece) {
        const std::string before = at > 0 ? std::to_string(at) : "";
        return before + piece + (at < 7 ? std::to_string(7 - at) : "");
    };
    const std::string knight = file > 0 ? std::to_string(file) + 'n' : "n";
    data::LabelledGame game;
    game.start =
        *chess::parse_fen(fmt::format("{}{}k1/5ppp/8/{}/8/{}/8/{} w - - 0 1", knight, 5 - file,
                                      rank(file, 'R'), rank(pawn, 'P'), rank(king, 'K')));
    game.line.emplace_back();
    game.line.push_back(
        {*chess::parse_uci(game.start, fmt::format("{0}5{0}8", "abcd"[file])), {}, {}, 0});
    return game;
}

void write_net(const std::filesystem::path& path, const nn::NnueWeights& weights) {
    std::ofstream(path, std::ios::binary) << nn::to_nnue(weights);
}

class TaughtRun : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        shared_ = new TemporaryFolder();
        write_net(*shared_ / "net.nnue", model::material_nnue());
        auto writer = data::StoreWriter::create(*shared_ / "games.sgt", {});
        ASSERT_TRUE(writer) << writer.error().message;
        Rng rng(Seed{9});
        for (int i = 0; i < 150; ++i) ASSERT_TRUE(writer->append(unlabelled_game(rng)));
        for (int i = 0; i < 128; ++i) {
            ASSERT_TRUE(writer->append(mating_game(i % 4, i / 4 % 8, 4 + i / 32)));
        }
        ASSERT_TRUE(writer->close());
    }
    static void TearDownTestSuite() { delete shared_; }

    static TrainConfig small_config() {
        TrainConfig config;
        config.data.stores = {(*shared_ / "games.sgt").string()};
        config.data.teacher = (*shared_ / "net.nnue").string();
        config.data.held_out = 0.1;
        config.encoder.features = data::SwiftFeatureSet::Pieces;
        config.encoder.accumulators = 64;
        config.encoder.dims = 16;
        config.optimizer.learning_rate = 5e-3;
        config.run.batch = 64;
        config.run.steps = 300;  // about two epochs
        config.run.threads = 1;
        config.validation.every = 100;
        config.validation.positions = 200;
        config.validation.moves = 20;
        config.run.checkpoint_seconds = 0;
        return config;
    }

    static void expect_equal_runs(const std::filesystem::path& a, const std::filesystem::path& b) {
        for (const char* file : {"checkpoint.safetensors", "metrics.jsonl", "model.safetensors"}) {
            const auto left = read_file((a / file).string()),
                       right = read_file((b / file).string());
            ASSERT_TRUE(left && right) << file;
            EXPECT_TRUE(*left == *right) << file;
        }
    }

    static TemporaryFolder* shared_;
    TemporaryFolder folder_;
};

TemporaryFolder* TaughtRun::shared_ = nullptr;

TEST_F(TaughtRun, LearnsFromGamesWithoutLabels) {
    for (const Batching batching : {Batching::Exact, Batching::Siblings}) {
        TrainConfig config = small_config();
        config.loss.batching = batching;
        const auto folder = folder_ / (batching == Batching::Exact ? "exact" : "siblings");
        const auto done = run(config, folder);
        ASSERT_TRUE(done) << done.error().message;
        EXPECT_TRUE(done->finished);
        EXPECT_EQ(done->report.positions, 200u);
        EXPECT_GT(done->report.siblings_in_order, 0);
        const auto model = model::load_model(done->model);
        ASSERT_TRUE(model);
        EXPECT_NE(model->provenance.training_config.find("\nteacher = \"net.nnue\"\n"),
                  std::string::npos)
            << "files by name, without their folders";
    }
}

TEST_F(TaughtRun, BatchesCarryTheLabelsOfTheTeacher) {
    TrainConfig config = small_config();
    auto source = BatchSource::open(config, View::Mover);
    ASSERT_TRUE(source) << source.error().message;
    const auto net = model::load_teacher_net(config.data.teacher);
    ASSERT_TRUE(net);
    const auto judge = model::make_teacher(*net)->make_judge();
    Batch batch;
    for (std::uint64_t step = 0; step < 10; ++step) {
        ASSERT_TRUE(source->next(step, batch));
        for (std::size_t i = 0; i < batch.positions.size(); ++i) {
            const auto by_rules = data::label_by_rules(batch.positions[i]);
            const data::Score score = by_rules ? *by_rules : judge->judge(batch.positions[i]);
            EXPECT_EQ(batch.labels[i], static_cast<float>(score.win_probability()));
        }
    }
}

TEST_F(TaughtRun, StoppedKilledAndResumedEqualsUninterrupted) {
    for (const Batching batching : {Batching::Exact, Batching::Siblings}) {
        TrainConfig config = small_config();
        config.loss.batching = batching;
        config.data.keep_decided = 0.5;
        const std::string name = batching == Batching::Exact ? "exact" : "siblings";
        ASSERT_TRUE(run(config, folder_ / (name + "-whole")));
        const auto folder = folder_ / (name + "-resumed");
        ASSERT_TRUE(run(config, folder, 70));
        run_and_kill(config, folder, 230);
        const auto done = run(config, folder);
        ASSERT_TRUE(done) << done.error().message;
        expect_equal_runs(folder_ / (name + "-whole"), folder);
    }
}

TEST_F(TaughtRun, AnyNumberOfThreadsDrawsTheSameBatches) {
    TrainConfig config = small_config();
    auto one = BatchSource::open(config, View::Mover);
    config.run.threads = 3;
    auto three = BatchSource::open(config, View::Mover);
    ASSERT_TRUE(one && three);
    Batch a, b;
    for (std::uint64_t step = 0; step < 300; ++step) {
        ASSERT_TRUE(one->next(step, a));
        ASSERT_TRUE(three->next(step, b));
        ASSERT_EQ(a.labels, b.labels) << step;
        for (std::size_t i = 0; i < a.positions.size(); ++i) {
            ASSERT_EQ(a.positions[i].key(), b.positions[i].key()) << step;
        }
    }
}

TEST_F(TaughtRun, AnotherNetUnderTheSameNameIsRefused) {
    TrainConfig config = small_config();
    config.data.teacher = (folder_ / "net.nnue").string();
    std::filesystem::copy_file(*shared_ / "net.nnue", config.data.teacher);
    ASSERT_TRUE(run(config, folder_ / "run", 50));
    write_net(config.data.teacher, nn::random_nnue(nn::kNnueInputs, 20, Seed{5}));
    const auto refused = run(config, folder_ / "run");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "the saved position in the data comes with labels of another teacher");
    config.data.teacher = "";
    const auto untaught = run(config, folder_ / "run");
    EXPECT_FALSE(untaught) << "the stores hold no labels";
}

TEST_F(TaughtRun, WhatIsNoNetIsRefusedAsALabellingRunRefusesIt) {
    const auto whole = read_file((*shared_ / "net.nnue").string());
    ASSERT_TRUE(whole);
    TrainConfig config = small_config();
    config.data.teacher = (folder_ / "bad.nnue").string();
    for (const std::size_t size : {std::size_t{0}, std::size_t{100}, whole->size() - 1}) {
        std::ofstream(config.data.teacher, std::ios::binary)
            .write(whole->data(), static_cast<long>(size));
        const auto trainer = Trainer::open(config, folder_ / "run");
        const auto net = model::load_teacher_net(config.data.teacher);
        ASSERT_FALSE(trainer) << size;
        ASSERT_FALSE(net);
        EXPECT_EQ(trainer.error().message, net.error().message);
        EXPECT_EQ(trainer.error().hint, net.error().hint);
    }
    config.data.teacher = (folder_ / "none.nnue").string();
    EXPECT_FALSE(Trainer::open(config, folder_ / "run"));
}

TEST_F(TaughtRun, ValidationIsTheSameForEverySeedAndBatching) {
    TrainConfig config = small_config();
    const auto a = ValidationSet::load(config);
    config.run.seed = 77;
    config.run.threads = 3;
    config.loss.batching = Batching::Siblings;
    const auto b = ValidationSet::load(config);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->labels, b->labels);
    EXPECT_EQ(a->questions.size(), b->questions.size());
    ASSERT_EQ(a->siblings.size(), b->siblings.size());
    ASSERT_GT(a->siblings.size(), 0u);
    for (std::size_t i = 0; i < a->siblings.size(); ++i) {
        EXPECT_EQ(a->siblings[i].labels, b->siblings[i].labels);
    }
}

}  // namespace
}  // namespace solis::train
