// The teacher's search and the labels it gives.
#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/lab/label/labeller.h"
#include "solis/lab/label/teacher/teacher_search.h"
#include "tests/nn/random_nnue.h"

namespace solis::lab {
namespace {

using chess::Position;

std::shared_ptr<const model::TeacherNet> random_teacher() {
    static const auto net = std::make_shared<const model::TeacherNet>(model::TeacherNet{
        nn::NnueNet(nn::random_nnue(nn::kNnueInputs, 20, Seed{4})), "random net"});
    return net;
}

Position position_of(const char* fen) { return *chess::parse_fen(fen); }

// A net that counts material only, in centipawns: the layers say nothing, and the piece-square part
// is half of the difference of both views, in sixteenths of a unit.
const nn::NnueNet& material_net() {
    static const nn::NnueNet net = [] {
        nn::NnueWeights weights = nn::random_nnue(nn::kNnueInputs, 0, Seed{1});
        constexpr std::array kCentipawns{100, 300, 300, 500, 900};
        for (std::size_t input = 0; input < weights.inputs; ++input) {
            const std::size_t kind = input / 64 % data::kNnueKinds;
            if (kind == data::kNnueKinds - 1) continue;
            const double units = kCentipawns[kind / 2] * 3.61 * 16;
            for (std::size_t stack = 0; stack < nn::kNnueStacks; ++stack) {
                weights.input_psqt[input * nn::kNnueStacks + stack] =
                    static_cast<std::int32_t>(kind % 2 == 0 ? units : -units);
            }
        }
        return nn::NnueNet(std::move(weights));
    }();
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
    model::NnueFollower follower(random_teacher()->net);
    const auto state = std::make_unique<model::NnueState>();
    const Position quiet = position_of("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1");
    follower.refresh(quiet, *state);
    const int units = follower.value(*state, quiet).total();
    const TeacherVerdict verdict = search.judge(quiet);
    EXPECT_EQ(verdict.score, data::Score::centipawns(model::nnue_centipawns(units)));
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

std::vector<data::LabelledGame> label_with_threads(int threads) {
    LabelRun run;
    run.teacher = random_teacher();
    run.teacher_depth = TeacherDepth::OnePly;
    run.processes = threads;
    run.labels.children.per_position = 2;
    SelfPlayOptions play;
    play.max_plies = 30;
    SupplyOptions options;
    options.batch_size = 2;
    options.end_game = 8;
    const auto supply = make_self_play_supply(play, run.labels, options);
    std::vector<data::LabelledGame> games;
    LabelHooks hooks;
    hooks.take = [&](const data::LabelledGame& game) {
        games.push_back(game);
        return true;
    };
    const auto stats = label_games(run, *supply, hooks);
    EXPECT_TRUE(stats);
    return games;
}

TEST(TeacherLabels, AreTheSameForAnyNumberOfThreads) {
    const auto one = label_with_threads(1), three = label_with_threads(3);
    ASSERT_EQ(one.size(), 8u);
    ASSERT_EQ(three.size(), 8u);
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(one[i].line.size(), three[i].line.size());
        for (std::size_t ply = 0; ply < one[i].line.size(); ++ply) {
            EXPECT_EQ(one[i].line[ply].move, three[i].line[ply].move);
            EXPECT_EQ(one[i].line[ply].score, three[i].line[ply].score);
        }
        ASSERT_EQ(one[i].branches.size(), three[i].branches.size());
        for (std::size_t n = 0; n < one[i].branches.size(); ++n) {
            EXPECT_EQ(one[i].branches[n].score, three[i].branches[n].score);
        }
    }
}

}  // namespace
}  // namespace solis::lab
