// A net behind the seam.
#include "solis/model/nnue/loaded_nnue.h"

#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/data/score.h"
#include "solis/model/nnue/follower.h"
#include "solis/model/open.h"
#include "tests/base/temporary_folder.h"
#include "tests/nn/random_nnue.h"

namespace solis::model {
namespace {

using chess::Position;

std::string random_net_file(const TemporaryFolder& folder) {
    const std::string path = (folder / "net.nnue").string();
    std::ofstream(path, std::ios::binary)
        << nn::to_nnue(nn::random_nnue(nn::kNnueInputs, 40, Seed{4}));
    return path;
}

TEST(LoadedNnue, IsOpenedLikeAnyModelAndScoresWhatTheNetSays) {
    const TemporaryFolder folder;
    const std::string path = random_net_file(folder);
    const auto model = open(path);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_FALSE((*model)->embeds());
    const auto net = load_teacher_net(path);
    ASSERT_TRUE(net);
    NnueFollower follower((*net)->net);
    const auto evaluator = (*model)->make_evaluator();
    const auto state = std::make_unique<NnueState>();
    Rng rng(Seed{2});
    Position position = Position::start();
    for (int ply = 0; ply < 40; ++ply) {
        std::vector<Position> children;
        for (const chess::Move move : chess::legal_moves(position)) {
            children.push_back(position.after(move));
        }
        if (children.empty()) break;
        std::vector<float> scores(children.size());
        evaluator->score_children(position, children, scores);
        for (std::size_t i = 0; i < children.size(); ++i) {
            follower.refresh(children[i], *state);
            const int units = follower.value(*state, children[i]).total();
            const float mover = nnue_score(nnue_centipawns(units));
            const bool white = children[i].side_to_move() == chess::Color::White;
            EXPECT_EQ(scores[i], white ? mover : -mover);
            EXPECT_EQ(evaluator->score(children[i]), scores[i]);
        }
        position = children[rng.below(children.size())];
    }
}

TEST(LoadedNnue, ScoresRiseWithCentipawnsAndMeanTheirWinProbability) {
    const TemporaryFolder folder;
    const auto model = open(random_net_file(folder));
    ASSERT_TRUE(model) << model.error().message;
    for (int centipawns = -3900; centipawns <= 3900; centipawns += 13) {
        const float score = nnue_score(centipawns);
        EXPECT_LT(score, nnue_score(centipawns + 10));
        EXPECT_NEAR((*model)->win_probability(score, Position::start()),
                    data::Score::centipawns(centipawns).win_probability(), 0.005)
            << centipawns;
    }
    EXPECT_EQ(nnue_score(0), 0.0f);
    EXPECT_EQ(nnue_score(-500), -nnue_score(500));
}

TEST(LoadedNnue, DamagedNetsAreRefusedWithTheirName) {
    const TemporaryFolder folder;
    const std::string path = random_net_file(folder);
    std::filesystem::resize_file(path, 1'000'000);
    const auto cut = open(path);
    ASSERT_FALSE(cut);
    EXPECT_NE(cut.error().message.find(path), std::string::npos) << cut.error().message;
    EXPECT_NE(cut.error().message.find("bytes"), std::string::npos) << cut.error().message;
    // Holes of a file read as zeros and take no room on the disk.
    const std::string zeros = (folder / "zeros.nnue").string();
    std::ofstream(zeros, std::ios::binary).put('\0');
    std::filesystem::resize_file(zeros, std::uintmax_t{1} << 30);
    const auto refused = load_teacher_net(zeros);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("not a net file"), std::string::npos);
}

}  // namespace
}  // namespace solis::model
