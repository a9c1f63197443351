// Tests of planner/paper/plan.h.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/chess/movegen.h"
#include "solis/planner/paper/plan.h"
#include "tests/planner/fake_model.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kWalks = 200;
#else
constexpr int kWalks = 2500;
#endif

// A game of random moves, so that the history has repetitions in it.
chess::Game random_game(Rng& rng, int plies) {
    chess::Game game;
    for (int ply = 0; ply < plies; ++ply) {
        const chess::MoveList moves = chess::legal_moves(game.position());
        game.push(moves[rng.below(moves.size())]);
        if (!chess::has_legal_move(game.position())) return random_game(rng, plies);
    }
    return game;
}

Settings beam(int width, int plies) {
    Settings settings;
    settings.kind = PlanKind::Paper;
    settings.width = width;
    settings.plies = plies;
    return settings;
}

Plan run(const model::LoadedModel& model, const chess::Game& game, const Settings& settings,
         PaperSearch search) {
    const TaskOf task(model, game, settings);
    return PaperPlan(*task, search).run();
}

TEST(PaperPlan, AlphaBetaGivesTheSameMoveAndValueAsPlainMinMax) {
    Rng rng(Seed{11});
    std::uint64_t plain_total = 0, pruned_total = 0;
    for (int i = 0; i < kWalks; ++i) {
        const RandomModel model(static_cast<std::uint64_t>(i), 0.1f);
        const chess::Game game = random_game(rng, static_cast<int>(rng.below(160)));
        const Settings settings = beam(1 + i % 5, 1 + i / 5 % 5);
        const Plan plain = run(model, game, settings, PaperSearch::Plain);
        const Plan pruned = run(model, game, settings, PaperSearch::AlphaBeta);
        ASSERT_EQ(plain.best(), pruned.best()) << chess::to_fen(game.position());
        ASSERT_EQ(plain.lines.front().value, pruned.lines.front().value)
            << chess::to_fen(game.position()) << " W " << settings.width << " S " << settings.plies;
        plain_total += plain.effort.embedded;
        pruned_total += pruned.effort.embedded;
    }
    EXPECT_LT(pruned_total, plain_total * 3 / 4);
}

TEST(PaperPlan, BothScoringMechanismsChooseTheSameMove) {
    Rng rng(Seed{12});
    const RandomModel model(5, -0.2f);
    for (int i = 0; i < kWalks / 10; ++i) {
        const chess::Game game = random_game(rng, static_cast<int>(rng.below(160)));
        Settings settings = beam(3, 3);
        const Plan unanchored = run(model, game, settings, PaperSearch::AlphaBeta);
        settings.scoring = Scoring::Anchored;
        const Plan anchored = run(model, game, settings, PaperSearch::AlphaBeta);
        ASSERT_EQ(unanchored.best(), anchored.best()) << chess::to_fen(game.position());
    }
}

TEST(PaperPlan, CountsTheNodesOfThePaperWhereEveryBeamIsFull) {
    const RandomModel model(3);
    const Plan plan = run(model, chess::Game(), beam(3, 5), PaperSearch::Plain);
    // 1 + 3 + 9 + 27 + 81 + 243, less what transpositions save.
    EXPECT_LE(plan.effort.beam_nodes, 364u);
    EXPECT_GT(plan.effort.beam_nodes, 300u);
    EXPECT_GT(plan.effort.embedded, 2000u);
}

TEST(PaperPlan, OnePlyIsTheBestChildByLatentScore) {
    const RandomModel model(8);
    const Plan plan = run(model, chess::Game(), beam(1, 1), PaperSearch::AlphaBeta);
    EXPECT_EQ(plan.effort.embedded, 20u);
    EXPECT_EQ(plan.effort.beam_nodes, 2u);
    const chess::Position child = chess::Position::start().after(plan.best());
    const float score = random_score(child.key(), 8);
    EXPECT_EQ(plan.lines.front().value, std::lround(score * 10'000));
}

TEST(PaperPlan, KeepsAsManyExactLinesAsAskedFor) {
    const RandomModel model(4);
    Settings settings = beam(5, 3);
    const Plan plain = run(model, chess::Game(), settings, PaperSearch::Plain);
    settings.multipv = 3;
    const Plan three = run(model, chess::Game(), settings, PaperSearch::AlphaBeta);
    ASSERT_EQ(three.lines.size(), 3u);
    std::vector<Value> values;
    for (const RootStatistics& move : plain.root) values.push_back(move.value);
    std::sort(values.begin(), values.end(), std::greater<>());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(three.lines[i].value, values[i]) << i;
}

// Writes the tree down as it hears of it.
class TreeListener final : public Observer {
  public:
    void on_info(const Info&) override {}
    [[nodiscard]] bool wants_tree() const override { return true; }
    void on_beam_node(const BeamNode& node) override {
        EXPECT_EQ(node.id, nodes.size() + 1);
        EXPECT_LT(node.parent, node.id);
        nodes.push_back(node);
    }
    void on_beam_value(const BeamValue& value) override { values[value.id] = value; }

    std::vector<BeamNode> nodes;
    std::map<std::uint32_t, BeamValue> values;
};

TEST(PaperPlan, TheTreeItTellsOfBacksUpToItsValue) {
    const auto model = std::make_shared<RandomModel>(5);
    for (const bool prunes : {false, true}) {
        Settings settings = beam(3, 4);
        settings.prune_paper = prunes;
        Planner planner(model, settings);
        TreeListener tree;
        const Plan plan = planner.plan(chess::Game(), {}, tree, Signals());
        std::map<std::uint32_t, std::vector<BeamNode>> children;
        for (const BeamNode& node : tree.nodes) children[node.parent].push_back(node);
        ASSERT_EQ(tree.values.at(0).value, plan.lines.front().value);
        EXPECT_EQ(tree.nodes[tree.values.at(0).best - 1].move, plan.best());
        for (const auto& [parent, siblings] : children) {
            ASSERT_LE(siblings.size(), 3u);
            if (!tree.values.contains(parent)) continue;
            Value best = -kInfinite;
            for (const BeamNode& node : siblings) {
                const auto value = tree.values.find(node.id);
                // Alpha-beta leaves out siblings of a refutation, plain min-max none.
                ASSERT_TRUE(prunes || value != tree.values.end());
                if (value != tree.values.end()) best = std::max(best, value->second.value);
            }
            const Value backed_up = tree.values.at(parent).value;
            EXPECT_EQ(parent == 0 ? backed_up : -backed_up, best) << parent;
        }
        EXPECT_LE(tree.nodes.back().ply, 4);
        EXPECT_GT(tree.nodes.size(), prunes ? 20u : 80u);
    }
}

}  // namespace
}  // namespace solis::planner
