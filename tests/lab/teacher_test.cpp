// Labels of the teacher inside the process.
#include "solis/model/nnue/teacher.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "solis/lab/label/labeller.h"
#include "solis/lab/label/teacher_batch.h"
#include "tests/nn/random_nnue.h"

namespace solis::lab {
namespace {

std::shared_ptr<const model::TeacherNet> random_teacher() {
    static const auto net = std::make_shared<const model::TeacherNet>(model::TeacherNet{
        nn::NnueNet(nn::random_nnue(nn::kNnueInputs, 20, Seed{4})), "random net"});
    return net;
}

std::vector<data::LabelledGame> label_with_threads(int threads) {
    LabelRun run;
    run.teacher = random_teacher();
    run.teacher_depth = model::TeacherDepth::OnePly;
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

// What training draws (data/sampler.h) is what a labelling run would have written.
TEST(TeacherLabels, AreThoseThatTrainingDraws) {
    const auto judge = model::make_teacher(random_teacher())->make_judge();
    LabelOptions options;
    for (const data::LabelledGame& played : label_with_threads(1)) {
        for (const int children : {0, 1, 3, data::ChildOptions::kAll}) {
            for (const double two_ply_share : {0.0, 0.5}) {
                options.children = {children, two_ply_share};
                std::vector<LabelTask> tasks{LabelTask(played, options, Seed{5})};
                model::TeacherSearch search(random_teacher()->net, model::TeacherDepth::Quiescence);
                BatchStats stats;
                ASSERT_TRUE(run_teacher_batch(search, tasks, {}, stats));
                data::LabelledGame drawn = played;
                data::label_game(drawn, options.children, Seed{5}, *judge);
                EXPECT_EQ(drawn, std::move(tasks[0]).take()) << children << " children";
            }
        }
    }
}

}  // namespace
}  // namespace solis::lab
