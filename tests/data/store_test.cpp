// Stores: what is written is read back, in one session or several.
#include <gtest/gtest.h>

#include "data/store_reader.h"
#include "data/store_writer.h"
#include "tests/data/random_games.h"
#include "tests/data/temporary_folder.h"

namespace solis::data {
namespace {

constexpr StoreOptions kSmallBlocks{.zstd_level = 1, .block_positions = 500};

std::vector<LabelledGame> read_all_games(const std::filesystem::path& path) {
    auto source = StoreSource::open(path);
    EXPECT_TRUE(source) << (source ? "" : source.error().message);
    std::vector<LabelledGame> games;
    LabelledGame game;
    while (source) {
        const auto more = (*source)->next(game);
        EXPECT_TRUE(more);
        if (!more || !*more) break;
        games.push_back(game);
    }
    EXPECT_EQ((*source)->report().bad_rows, 0U);
    return games;
}

void append_all(StoreWriter& writer, const std::vector<LabelledGame>& games) {
    for (const LabelledGame& game : games) {
        const auto ok = writer.append(game);
        ASSERT_TRUE(ok) << ok.error().message;
    }
}

TEST(Store, ReadsBackWhatWasWritten) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const TemporaryFolder folder;
        const auto games = random_games(Seed{seed}, 100, seed * 8);
        auto writer = StoreWriter::create(folder / "a.sgt", {}, kSmallBlocks);
        ASSERT_TRUE(writer);
        append_all(*writer, games);
        ASSERT_TRUE(writer->close());
        EXPECT_EQ(read_all_games(folder / "a.sgt"), games) << "seed " << seed;
    }
}

}  // namespace
}  // namespace solis::data
