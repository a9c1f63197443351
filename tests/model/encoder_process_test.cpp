#include "solis/model/process/encoder_process.h"

#include <cerrno>
#include <chrono>
#include <numeric>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/model/model_file.h"
#include "solis/model/open.h"
#include "solis/model/scorer.h"
#include "tests/base/temporary_folder.h"

namespace solis::model {
namespace {

using chess::Position;
using std::chrono::milliseconds;

constexpr EncoderProcessOptions kPatient{milliseconds(20'000), milliseconds(20'000)};
constexpr EncoderProcessOptions kImpatient{milliseconds(300), milliseconds(300)};

std::string command(const std::string& mode) { return "'" SOLIS_FAKE_ENCODER "' " + mode; }

std::vector<Position> some_positions(std::size_t count) {
    std::vector<Position> positions{Position::start()};
    for (std::size_t i = 0; positions.size() < count; ++i) {
        for (const chess::Move move : chess::legal_moves(positions[i])) {
            if (positions.size() < count) positions.push_back(positions[i].after(move));
        }
    }
    return positions;
}

void expect_no_children() {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD) << "a child is left";
}

// The error of starting a fake and, where that works, of one more request.
std::string failure_of(const std::string& mode, const EncoderProcessOptions& options) {
    auto process = EncoderProcess::start(command(mode), options);
    if (!process) return process.error().message;
    const std::vector<Position> positions = some_positions(20);
    std::vector<float> z(positions.size() * (*process)->dims());
    const auto done = (*process)->embed(positions, z);
    if (done) return "no failure";
    EXPECT_FALSE((*process)->embed(positions, z)) << "a failure is final";
    return done.error().message;
}

AdvantageAxis axis_of_fake() {
    std::vector<float> white(8, 0.0f), black(8, 0.0f);
    white[0] = 0.6f;
    black[0] = -0.6f;
    white[1] = black[1] = 0.7f;
    return axis_from_means(white, black).value();
}

ModelFile file_of_fake(const std::string& name = "fake") {
    ModelFile file(ProcessEncoder{8, name});
    file.axis = axis_of_fake();
    file.calibration = Calibration::from_knots({-0.9f, 0.0f, 0.9f}, {0.02f, 0.5f, 0.98f}).value();
    return file;
}

TEST(EncoderProcess, EmbedsInBatchesOfAnySize) {
    const auto process = EncoderProcess::start(command("good"), kPatient);
    ASSERT_TRUE(process) << process.error().message;
    EXPECT_EQ((*process)->name(), "fake");
    EXPECT_FALSE((*process)->traits().reads_counters);
    const std::vector<Position> positions = some_positions(100);
    std::vector<float> all(positions.size() * 8);
    ASSERT_TRUE((*process)->embed(positions, all));
    for (const std::size_t count : {0u, 1u, 15u, 16u, 17u, 32u, 100u}) {
        std::vector<float> z(count * 8);
        ASSERT_TRUE((*process)->embed(std::span(positions).first(count), z)) << count;
        EXPECT_TRUE(std::equal(z.begin(), z.end(), all.begin())) << count;
    }
    EXPECT_NEAR(std::inner_product(all.begin(), all.begin() + 8, all.begin(), 0.0), 1, 1e-5);
}

TEST(EncoderProcess, MisbehaviourIsAnErrorThatSaysWhat) {
    const std::pair<const char*, const char*> cases[] = {
        {"exit-at-once", "exited with code 5 instead of giving its first line"},
        {"garbage", "the first line is 'Loading the network ...'"},
        {"no-dims", "does not say dims"},
        {"many-dims", "dims is '99999999999999999999', expected 1 to 65536"},
        {"version", "version '9' of the protocol"},
        {"crash", "was killed by signal 6"},
        {"exit", "exited with code 3 instead of giving an answer"},
        {"nan", "the vector of position 0 has a value that is not a number"},
        {"infinite", "the vector of position 0 has a value that is infinite"},
        {"zero", "the vector of position 0 has length 0"},
        {"few-rows", "the answer is 15 vectors of 8 values, expected 16 of 8"},
        {"wrong-dims", "the answer is 16 vectors of 9 values, expected 16 of 8"},
        {"short-exit", "exited with code 0 instead of giving 512 bytes of vectors"},
        {"long", "expected 'vectors 5 8'"},
        {"chatty", "the answer begins with 'embedding 16 positions'"},
        {"error", "it says 'the network is out of memory'"},
        {"no-line-end", "no line end"},
        {"noise", "the same position gets another vector the second time"},
        {"later-crash", "was killed by signal 6"},
        {"later-nan", "has a value that is not a number"},
        {"later-error", "it says 'the network is out of memory'"}};
    for (const auto& [mode, expected] : cases) {
        const std::string message = failure_of(mode, kPatient);
        EXPECT_NE(message.find(expected), std::string::npos) << mode << ": " << message;
        EXPECT_NE(message.find("fake_encoder"), std::string::npos) << mode << ": " << message;
    }
    expect_no_children();
}

TEST(EncoderProcess, WaitsNoLongerThanItIsTold) {
    for (const char* mode : {"silent", "hang", "short"}) {
        const auto start = std::chrono::steady_clock::now();
        const std::string message = failure_of(mode, kImpatient);
        EXPECT_NE(message.find("waited 0.3 s for"), std::string::npos) << mode << ": " << message;
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << mode;
    }
    expect_no_children();
}

TEST(EncoderProcess, WhatDoesNotEndIsKilled) {
    const auto start = std::chrono::steady_clock::now();
    { ASSERT_TRUE(EncoderProcess::start(command("stubborn"), kPatient)); }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
    expect_no_children();
}

TEST(EncoderProcess, NoProgramIsAnError) {
    const auto process = EncoderProcess::start("/no/such/program --x");
    ASSERT_FALSE(process);
    EXPECT_EQ(process.error().message,
              "encoder command: cannot start '/no/such/program': No such file or directory");
    EXPECT_FALSE(EncoderProcess::start("  "));
}

TEST(CommandWords, FollowQuotes) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(command_words("a b").value(), (Words{"a", "b"}));
    EXPECT_EQ(command_words("  a\t 'b c'\"d e\"f  ").value(), (Words{"a", "b cd ef"}));
    EXPECT_EQ(command_words("a\\ b '' \"x\\\"y\" 'z\\'").value(),
              (Words{"a b", "", "x\"y", "z\\"}));
    for (const char* wrong : {"", "   ", "a 'b", "a \"b", "''"}) {
        EXPECT_FALSE(command_words(wrong)) << wrong;
    }
}

TEST(ProcessModel, RanksMovesByTheProcess) {
    const solis::TemporaryFolder folder;
    const std::string path = (folder.path() / "fake.safetensors").string();
    ASSERT_TRUE(save_model(path, file_of_fake()));
    const auto model = open_from({path, command("good"), kPatient});
    ASSERT_TRUE(model) << model.error().message;
    Scorer scorer(*model);
    const Position position = chess::parse_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").value();
    const auto ranked = scorer.rank_moves(position);
    EXPECT_EQ(ranked.front().move, chess::Move(chess::Square::E4, chess::Square::D5));
    EXPECT_GT(ranked.front().win_probability, 0.55);
    EXPECT_LT(scorer.win_probability(scorer.score(position), position), 0.2);
    EXPECT_TRUE((*model)->status());
}

TEST(ProcessModel, AFailureIsTheModelsStatus) {
    const solis::TemporaryFolder folder;
    const std::string path = (folder.path() / "fake.safetensors").string();
    ASSERT_TRUE(save_model(path, file_of_fake()));
    const auto model = open_from({path, command("later-crash"), kPatient});
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_FALSE((*model)->has_failed());
    EXPECT_EQ((*model)->make_evaluator()->score(Position::start()), 0);
    EXPECT_TRUE((*model)->has_failed());
    const auto status = (*model)->status();
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("was killed by signal 6"), std::string::npos);
}

TEST(ProcessModel, FileAndCommandBelongTogether) {
    const solis::TemporaryFolder folder;
    const std::string path = (folder.path() / "fake.safetensors").string();
    ASSERT_TRUE(save_model(path, file_of_fake()));
    const auto without = open(path);
    ASSERT_FALSE(without);
    EXPECT_NE(without.error().hint.find("--encoder-command"), std::string::npos);
    EXPECT_FALSE(open_from({"", command("good"), kPatient}));

    ASSERT_TRUE(save_model(path, file_of_fake("another")));
    const auto other = open_from({path, command("good"), kPatient});
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("axis of encoder 'another'"), std::string::npos);
    expect_no_children();
}

TEST(ProcessModel, IsReadBackAsItWasWritten) {
    const ModelFile file = file_of_fake();
    const auto read = from_tensors(to_tensors(file));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_NE(read->process(), nullptr);
    EXPECT_EQ(*read->process(), *file.process());
    EXPECT_EQ(read->axis, file.axis);
    EXPECT_EQ(read->calibration, file.calibration);
    EXPECT_EQ(read->encoder_kind(), "process");
}

// An encoder of a program's own: the balance of material, in White's view.
class MaterialEncoder final : public CustomEncoder {
  public:
    std::size_t dims() const override { return 2; }
    Result<void> embed(std::span<const Position> positions, std::span<float> z) override {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const auto men = [&](chess::Color c) { return chess::count(positions[i].pieces(c)); };
            z[2 * i] = static_cast<float>(men(chess::Color::White) - men(chess::Color::Black));
            z[2 * i + 1] = 4;
        }
        return {};
    }
};

TEST(CustomEncoder, StandsBehindTheSeam) {
    auto axis = axis_from_means({0.5f, 0.5f}, {-0.5f, 0.5f}).value();
    auto curve = Calibration::from_knots({-1, 0, 1}, {0, 0.5f, 1}).value();
    const auto model = make_model(std::make_shared<MaterialEncoder>(), axis, curve);
    ASSERT_TRUE(model);
    const auto evaluator = (*model)->make_evaluator();
    EXPECT_NEAR(evaluator->score(Position::start()), 0, 1e-6);
    const Position up = chess::parse_fen("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1").value();
    EXPECT_NEAR(evaluator->score(up), 0.6, 1e-6);
    const auto wrong = make_model(std::make_shared<MaterialEncoder>(), axis_of_fake(), curve);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message, "the axis has 8 dimensions, the encoder 2");
}

}  // namespace
}  // namespace solis::model
