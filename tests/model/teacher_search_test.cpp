// The teacher's search.
#include "solis/model/nnue/teacher_search.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/model/nnue/teacher_net.h"
#include "tests/model/material_nnue.h"
#include "tests/nn/random_nnue.h"

namespace solis::model {
namespace {

using chess::Position;

std::shared_ptr<const TeacherNet> random_teacher() {
    static const auto net = std::make_shared<const TeacherNet>(
        TeacherNet{nn::NnueNet(nn::random_nnue(nn::kNnueInputs, 20, Seed{4})), "random net"});
    return net;
}

Position position_of(const char* fen) { return *chess::parse_fen(fen); }

const nn::NnueNet& material_net() {
    static const nn::NnueNet net(material_nnue());
    return net;
}

int judged(const char* fen, TeacherDepth depth) {
    return TeacherSearch(material_net(), depth).judge(position_of(fen)).score.value();
}

TEST(TeacherSearch, SeesMateInOne) {
    TeacherSearch one_ply(random_teacher()->net, TeacherDepth::OnePly);
    const TeacherVerdict mates = one_ply.judge(position_of("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"));
    EXPECT_EQ(mates.score, data::Score::mate_in(1));
    EXPECT_EQ(mates.best, chess::Move(chess::Square::A1, chess::Square::A8));
}

TEST(TeacherSearch, WinsWhatHangsAndLeavesWhatIsDefended) {
    for (const TeacherDepth depth : {TeacherDepth::Quiescence, TeacherDepth::OnePly}) {
        // The rook takes a knight that nothing defends: 500 against 0.
        EXPECT_NEAR(judged("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", depth), 500, 3);
        // A pawn defends it: the rook stays, 500 against 400.
        EXPECT_NEAR(judged("4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1", depth), 100, 3);
        // Black's queen hangs, but Black is to move: it is still there, 900 against 500.
        EXPECT_NEAR(judged("4k3/8/8/3q4/8/8/8/3RK3 b - - 0 1", depth), 400, 3);
    }
}

TEST(TeacherSearch, AnswersChecksWithAllMoves) {
    // The checked king can only step aside; then the rook that gave check is still there.
    EXPECT_NEAR(judged("4k3/8/8/8/8/8/8/K3R3 b - - 0 1", TeacherDepth::Quiescence), -500, 3);
    // Capturing the checking queen is the best answer.
    EXPECT_NEAR(judged("4k3/4Q3/8/8/8/8/8/K7 b - - 0 1", TeacherDepth::Quiescence), 0, 3);
}

TEST(TeacherSearch, StandsPatWhereNothingCanBeCaptured) {
    TeacherSearch search(random_teacher()->net, TeacherDepth::Quiescence);
    NnueFollower follower(random_teacher()->net);
    const auto state = std::make_unique<NnueState>();
    const Position quiet = position_of("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1");
    follower.refresh(quiet, *state);
    const int units = follower.value(*state, quiet).total();
    const TeacherVerdict verdict = search.judge(quiet);
    EXPECT_EQ(verdict.score, data::Score::centipawns(nnue_centipawns(units)));
    EXPECT_TRUE(verdict.best.is_none());
}

TEST(TeacherSearch, VerdictsDoNotDependOnWhatWasAskedBefore) {
    std::vector<Position> positions;
    Rng rng(Seed{3});
    Position position = Position::start();
    while (positions.size() < 40) {
        const chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) break;
        positions.push_back(position);
        position = position.after(moves[rng.below(moves.size())]);
    }
    TeacherSearch together(random_teacher()->net, TeacherDepth::OnePly);
    for (auto asked = positions.rbegin(); asked != positions.rend(); ++asked) {
        TeacherSearch alone(random_teacher()->net, TeacherDepth::OnePly);
        EXPECT_EQ(together.judge(*asked).score, alone.judge(*asked).score) << to_fen(*asked);
    }
}

}  // namespace
}  // namespace solis::model
