// Batches of siblings: which children the filters leave.
#include "solis/train/batches.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/data/store/writer.h"
#include "tests/base/temporary_folder.h"

namespace solis::train {
namespace {

constexpr int kLineLabel = 10, kBranchLabel = 200;

class SiblingBatches : public testing::Test {
  protected:
    // A line of some moves; every position of it has three labelled children beside the one
    // played, or nothing but such children.
    void write(bool line_has_labels) {
        data::LabelledGame game;
        chess::Position position = game.start;
        game.line.push_back({{}, data::Score::centipawns(kLineLabel), {}, 0});
        Rng rng(Seed{4});
        for (int ply = 0; ply < 40; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.size() < 4) break;
            for (std::size_t i = 1; i < 4; ++i) {
                game.branches.push_back({moves[i], {}, data::Score::centipawns(kBranchLabel)});
            }
            game.line.back().branch_count = 3;
            position = position.after(moves[0]);
            const data::Score score =
                line_has_labels ? data::Score::centipawns(kLineLabel) : data::Score();
            game.line.push_back({moves[0], score, {}, 0});
        }
        auto writer = data::StoreWriter::create(store(), {});
        ASSERT_TRUE(writer) << writer.error().message;
        ASSERT_TRUE(writer->append(game));
        ASSERT_TRUE(writer->close());
    }
    // Games of one position each, as plans leave them.
    void write_single_positions() {
        auto writer = data::StoreWriter::create(singles(), {});
        ASSERT_TRUE(writer) << writer.error().message;
        chess::Position position = chess::Position::start();
        for (int i = 0; i < 10; ++i) {
            position = position.after(chess::legal_moves(position)[7]);
            data::LabelledGame game;
            game.start = position;
            game.line.push_back({{}, data::Score::centipawns(kLineLabel), {}, 0});
            ASSERT_TRUE(writer->append(game));
        }
        ASSERT_TRUE(writer->close());
    }
    [[nodiscard]] std::filesystem::path singles() const { return folder_ / "singles.sgt"; }
    [[nodiscard]] std::filesystem::path store() const { return folder_ / "siblings.sgt"; }

    [[nodiscard]] TrainConfig config(double keep_branches) const {
        TrainConfig config;
        config.data.stores = {store().string()};
        config.data.keep_branches = keep_branches;
        config.data.held_out = 0;
        config.loss.batching = Batching::Siblings;
        config.run.batch = 256;
        return config;
    }
    // How many positions of one batch come from branches.
    [[nodiscard]] std::size_t branches(double keep_branches) const {
        auto source = BatchSource::open(config(keep_branches), View::Mover);
        EXPECT_TRUE(source) << source.error().message;
        Batch batch;
        if (!source) return 0;
        EXPECT_TRUE(source->next(0, batch));
        EXPECT_EQ(batch.positions.size(), 256u);
        const auto label =
            static_cast<float>(data::Score::centipawns(kBranchLabel).win_probability());
        return static_cast<std::size_t>(
            std::count(batch.labels.begin(), batch.labels.end(), label));
    }

    TemporaryFolder folder_;
};

TEST_F(SiblingBatches, KeepTheShareOfBranchesThatIsAskedFor) {
    write(true);
    EXPECT_NEAR(static_cast<double>(branches(1)), 192, 3);
    EXPECT_EQ(branches(0), 0u);
    // A third of three for each position of the line.
    EXPECT_NEAR(static_cast<double>(branches(1.0 / 3)), 128, 40);
}

TEST_F(SiblingBatches, FailWhereTheFilterLeavesNone) {
    write(false);
    auto source = BatchSource::open(config(0), View::Mover);
    ASSERT_TRUE(source) << source.error().message;
    Batch batch;
    const auto none = source->next(0, batch);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "no sibling in the stores passes the filters");
}

// Nothing of such a store is drawn in sets, which nobody would notice.
TEST_F(SiblingBatches, AStoreOfSinglePositionsIsNamedAsUnused) {
    write(true);
    write_single_positions();
    TrainConfig both = config(1);
    both.data.stores.push_back(singles().string());
    const auto siblings = BatchSource::open(both, View::Mover);
    ASSERT_TRUE(siblings) << siblings.error().message;
    EXPECT_EQ(siblings->unused_stores(), std::vector{singles().string()});
    both.loss.batching = Batching::Exact;
    const auto exact = BatchSource::open(both, View::Mover);
    ASSERT_TRUE(exact) << exact.error().message;
    EXPECT_TRUE(exact->unused_stores().empty());
}

}  // namespace
}  // namespace solis::train
