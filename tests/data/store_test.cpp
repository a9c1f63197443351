// Stores: what is written is read back, in one session or several.
#include <fstream>

#include <gtest/gtest.h>

#include "solis/data/store/reader.h"
#include "solis/data/store/writer.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/random_games.h"

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

void write_store(const std::filesystem::path& path, const std::vector<LabelledGame>& games) {
    auto writer = StoreWriter::create(path, {}, kSmallBlocks);
    ASSERT_TRUE(writer) << writer.error().message;
    append_all(*writer, games);
    ASSERT_TRUE(writer->close());
}

StoreSummary summary_of(const std::vector<LabelledGame>& games) {
    StoreSummary summary;
    for (const LabelledGame& game : games) summary.add(game);
    return summary;
}

TEST(Store, ReadsBackWhatWasWritten) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const TemporaryFolder folder;
        const auto games = random_games(Seed{seed}, 60, seed * 8);
        write_store(folder / "a.sgt", games);
        EXPECT_EQ(read_all_games(folder / "a.sgt"), games) << "seed " << seed;
    }
}

TEST(Store, IsolatedPositionsAreGamesToo) {
    const TemporaryFolder folder;
    const auto games = random_games(Seed{3}, 500, 0);
    write_store(folder / "a.sgt", games);
    EXPECT_EQ(read_all_games(folder / "a.sgt"), games);
}

TEST(Store, EmptyStoreIsAStore) {
    const TemporaryFolder folder;
    write_store(folder / "a.sgt", {});
    EXPECT_TRUE(read_all_games(folder / "a.sgt").empty());
}

TEST(Store, ManifestSurvivesAndCounts) {
    const TemporaryFolder folder;
    const auto games = random_games(Seed{5}, 50, 40);
    Manifest manifest;
    manifest.sources = {{"some \"file\"\n", "PGN", 50, 2}};
    manifest.labellers = {{"Stockfish 16", "120 nodes"}};
    manifest.split = "train";
    manifest.note = "caf\u00e9";
    auto writer = StoreWriter::create(folder / "a.sgt", manifest, kSmallBlocks);
    ASSERT_TRUE(writer);
    append_all(*writer, games);
    ASSERT_TRUE(writer->close());
    manifest.summary = summary_of(games);
    for (const auto& file :
         {StoreFile::open(folder / "a.sgt"), StoreFile::scan(folder / "a.sgt")}) {
        ASSERT_TRUE(file);
        EXPECT_EQ(file->manifest(), manifest);
        EXPECT_TRUE(file->has_index());
        EXPECT_TRUE(file->damage().empty());
    }
}

TEST(Store, IndexAndScanFindTheSameBlocks) {
    const TemporaryFolder folder;
    write_store(folder / "a.sgt", random_games(Seed{6}, 100, 60));
    const auto indexed = StoreFile::open(folder / "a.sgt");
    const auto scanned = StoreFile::scan(folder / "a.sgt");
    ASSERT_TRUE(indexed && scanned);
    EXPECT_GT(indexed->blocks().size(), 3U);
    EXPECT_EQ(indexed->blocks(), scanned->blocks());
}

TEST(Store, ContentHashIgnoresOrderButNotLabels) {
    auto games = random_games(Seed{7}, 20, 30);
    const StoreSummary before = summary_of(games);
    std::swap(games[0], games[7]);
    EXPECT_EQ(summary_of(games), before);
    games[3].line[0].score = games[3].line[0].score == Score::centipawns(1) ? Score::centipawns(2)
                                                                            : Score::centipawns(1);
    EXPECT_NE(summary_of(games).content_hash, before.content_hash);
}

TEST(Store, AppendingInSessionsEqualsWritingAtOnce) {
    const TemporaryFolder folder;
    const auto games = random_games(Seed{8}, 90, 40);
    write_store(folder / "a.sgt", {games.begin(), games.begin() + 30});
    for (const std::ptrdiff_t from : {30, 60}) {
        auto writer = StoreWriter::open_for_append(folder / "a.sgt", kSmallBlocks);
        ASSERT_TRUE(writer) << writer.error().message;
        EXPECT_EQ(writer->dropped_bytes(), 0U);
        append_all(*writer, {games.begin() + from, games.begin() + from + 30});
        ASSERT_TRUE(writer->close());
    }
    EXPECT_EQ(read_all_games(folder / "a.sgt"), games);
    const auto file = StoreFile::open(folder / "a.sgt");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->has_index());
    EXPECT_EQ(file->manifest().summary, summary_of(games));
}

TEST(Store, SecondWriterIsRefused) {
    const TemporaryFolder folder;
    auto writer = StoreWriter::create(folder / "a.sgt", {});
    ASSERT_TRUE(writer);
    const auto second = StoreWriter::open_for_append(folder / "a.sgt");
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("is being written by another process"), std::string::npos)
        << second.error().message;
    EXPECT_FALSE(StoreWriter::create(folder / "a.sgt", {}));
}

TEST(Store, FileThatAppearsWhenClosedIsNeverSeenEarlier) {
    const TemporaryFolder folder;
    const auto path = folder / "a.sgt";
    {
        auto dropped = StoreWriter::create(path, {}, {.appears_when_closed = true});
        ASSERT_TRUE(dropped);
        EXPECT_FALSE(std::filesystem::exists(path));
    }
    EXPECT_TRUE(std::filesystem::is_empty(path.parent_path()));
    auto writer = StoreWriter::create(path, {}, {.appears_when_closed = true});
    ASSERT_TRUE(writer && writer->close());
    EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(Store, RefusedGameLeavesNoTrace) {
    const TemporaryFolder folder;
    const auto games = random_games(Seed{9}, 10, 20);
    auto writer = StoreWriter::create(folder / "a.sgt", {}, kSmallBlocks);
    ASSERT_TRUE(writer);
    for (const LabelledGame& game : games) {
        LabelledGame illegal = game;
        illegal.line.push_back({chess::Move(chess::Square::A1, chess::Square::A1), {}, {}, 0});
        EXPECT_FALSE(writer->append(illegal));
        LabelledGame miscounted = game;
        ++miscounted.line.back().branch_count;
        EXPECT_FALSE(writer->append(miscounted));
        EXPECT_FALSE(writer->append(LabelledGame()));
        ASSERT_TRUE(writer->append(game));
    }
    ASSERT_TRUE(writer->close());
    EXPECT_EQ(read_all_games(folder / "a.sgt"), games);
}

TEST(Store, OtherFilesAreRefusedWithAReason) {
    const TemporaryFolder folder;
    std::ofstream(folder / "text") << "this is not a store, whatever its name says";
    std::ofstream(folder / "empty");
    for (const char* name : {"text", "empty", "missing"}) {
        const auto file = StoreFile::open(folder / name);
        ASSERT_FALSE(file) << name;
        EXPECT_NE(file.error().message.find(name), std::string::npos) << file.error().message;
        EXPECT_FALSE(StoreWriter::open_for_append(folder / name)) << name;
    }
    EXPECT_FALSE(StoreFile::open(folder / "."));
}

TEST(Store, NewerFormatIsRefused) {
    const TemporaryFolder folder;
    write_store(folder / "a.sgt", random_games(Seed{2}, 3, 5));
    std::fstream file(folder / "a.sgt", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(8).put(2);
    file.close();
    const auto store = StoreFile::open(folder / "a.sgt");
    ASSERT_FALSE(store);
    EXPECT_NE(store.error().message.find("newer"), std::string::npos) << store.error().message;
}

}  // namespace
}  // namespace solis::data
