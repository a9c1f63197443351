// Damaged and interrupted stores: what is whole is read, the rest is reported, nothing crashes.
#include <csignal>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solis/data/store/block_codec.h"
#include "solis/data/store/reader.h"
#include "solis/data/store/writer.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/random_games.h"

namespace solis::data {
namespace {

#ifdef SOLIS_SANITIZED
constexpr std::size_t kFlipStep = 97;
constexpr std::size_t kCutStep = 211;
constexpr int kKills = 8;
#else
constexpr std::size_t kFlipStep = 13;
constexpr std::size_t kCutStep = 37;
constexpr int kKills = 20;
#endif

constexpr StoreOptions kTinyBlocks{.zstd_level = 1, .block_positions = 300};

std::string file_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

struct ReadGames {
    std::vector<LabelledGame> games;
    std::uint64_t damaged = 0;
    bool opened = false;
};

ReadGames read_games(const std::filesystem::path& path) {
    ReadGames result;
    auto source = StoreSource::open(path, OnDamage::Skip);
    if (!source) return result;
    result.opened = true;
    LabelledGame game;
    for (;;) {
        const auto more = (*source)->next(game);
        if (!more || !*more) break;
        result.games.push_back(game);
    }
    result.damaged = (*source)->report().bad_rows;
    return result;
}

class DamagedStore : public testing::Test {
  protected:
    void SetUp() override {
        games_ = random_games(Seed{11}, 40, 40);
        auto writer = StoreWriter::create(path(), {}, kTinyBlocks);
        ASSERT_TRUE(writer);
        for (const LabelledGame& game : games_) ASSERT_TRUE(writer->append(game));
        ASSERT_TRUE(writer->close());
        bytes_ = file_bytes(path());
        const auto file = StoreFile::open(path());
        ASSERT_TRUE(file);
        blocks_ = file->blocks();
        ASSERT_GE(blocks_.size(), 5U);
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "a.sgt"; }
    // The games of every block but `lost`.
    [[nodiscard]] std::vector<LabelledGame> games_without_block(std::size_t lost) const {
        std::vector<LabelledGame> kept;
        std::size_t next = 0;
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            for (std::uint32_t g = 0; g < blocks_[i].games; ++g, ++next) {
                if (i != lost) kept.push_back(games_[next]);
            }
        }
        return kept;
    }
    // Which block the byte belongs to, blocks_.size() for none.
    [[nodiscard]] std::size_t block_at(std::size_t byte) const {
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const std::uint64_t end =
                blocks_[i].offset + BlockHeader::kSize + blocks_[i].payload_size;
            if (byte >= blocks_[i].offset && byte < end) return i;
        }
        return blocks_.size();
    }

    TemporaryFolder folder_;
    std::vector<LabelledGame> games_;
    std::string bytes_;
    std::vector<BlockEntry> blocks_;
};

TEST_F(DamagedStore, FlippedByteCostsItsBlockOnly) {
    for (std::size_t at = 0; at < bytes_.size(); at += kFlipStep) {
        if (at >= 8 && at < 16) continue;  // version and reserved bytes of the file header
        std::string damaged = bytes_;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
        write_bytes(path(), damaged);
        const std::size_t lost = block_at(at);
        const ReadGames read = read_games(path());
        ASSERT_TRUE(read.opened) << "byte " << at;
        EXPECT_EQ(read.games, games_without_block(lost)) << "byte " << at;
        const std::uint64_t reported = lost < blocks_.size() ? 1 : read.damaged;
        EXPECT_EQ(read.damaged, reported) << "byte " << at;
    }
}

TEST_F(DamagedStore, ReadingStopsAtDamageUnlessItIsToBeSkipped) {
    std::string damaged = bytes_;
    const std::size_t at = blocks_[2].offset + BlockHeader::kSize + 5;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write_bytes(path(), damaged);
    auto source = StoreSource::open(path());
    ASSERT_TRUE(source);
    LabelledGame game;
    Result<bool> more = true;
    std::size_t games = 0;
    for (; more && *more; more = (*source)->next(game)) ++games;
    ASSERT_FALSE(more);
    EXPECT_EQ(games - 1, blocks_[0].games + blocks_[1].games);
    EXPECT_EQ(
        more.error().message,
        fmt::format("'{}' is damaged, block 3 at byte {} ({} games): the checksum does not match",
                    path().string(), blocks_[2].offset, blocks_[2].games));
    EXPECT_NE(more.error().hint.find("--skip-damaged"), std::string::npos);
    EXPECT_EQ(read_games(path()).games, games_without_block(2));
}

TEST_F(DamagedStore, AppendingToADamagedStoreIsRefusedAndChangesNothing) {
    std::string damaged = bytes_;
    const std::size_t at = blocks_[2].offset + BlockHeader::kSize + 5;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write_bytes(path(), damaged);
    const auto writer = StoreWriter::open_for_append(path(), kTinyBlocks);
    ASSERT_FALSE(writer);
    EXPECT_NE(writer.error().message.find("block 3 at byte"), std::string::npos)
        << writer.error().message;
    EXPECT_EQ(file_bytes(path()), damaged);
    StoreOptions skip = kTinyBlocks;
    skip.on_damage = OnDamage::Skip;
    auto skipping = StoreWriter::open_for_append(path(), skip);
    ASSERT_TRUE(skipping) << skipping.error().message;
    ASSERT_EQ(skipping->damage().size(), 1u);
    EXPECT_EQ(skipping->damage()[0].games, blocks_[2].games);
}

TEST_F(DamagedStore, CutFileKeepsItsWholeBlocks) {
    for (std::size_t size = kFileHeaderSize; size < bytes_.size(); size += kCutStep) {
        write_bytes(path(), bytes_.substr(0, size));
        std::size_t whole = 0;
        for (const BlockEntry& block : blocks_) {
            if (block.offset + BlockHeader::kSize + block.payload_size <= size)
                whole += block.games;
        }
        const ReadGames read = read_games(path());
        if (!read.opened) {
            EXPECT_EQ(whole, 0U) << "size " << size;
            continue;
        }
        ASSERT_EQ(read.games.size(), whole) << "size " << size;
        EXPECT_TRUE(std::equal(read.games.begin(), read.games.end(), games_.begin()));
    }
}

TEST_F(DamagedStore, AppendAfterCutDropsTheTornTailAndGoesOn) {
    const BlockEntry& third = blocks_[2];
    for (const std::uint64_t extra : {std::uint64_t{1}, std::uint64_t{BlockHeader::kSize},
                                      std::uint64_t{BlockHeader::kSize} + third.payload_size - 1}) {
        write_bytes(path(), bytes_.substr(0, third.offset + extra));
        auto writer = StoreWriter::open_for_append(path(), kTinyBlocks);
        ASSERT_TRUE(writer) << writer.error().message;
        EXPECT_EQ(writer->dropped_bytes(), extra);
        const std::size_t kept = blocks_[0].games + blocks_[1].games;
        for (std::size_t i = kept; i < games_.size(); ++i) ASSERT_TRUE(writer->append(games_[i]));
        ASSERT_TRUE(writer->close());
        const ReadGames read = read_games(path());
        EXPECT_EQ(read.games, games_);
        EXPECT_EQ(read.damaged, 0U);
    }
}

TEST_F(DamagedStore, TailWithWholeHeaderButTornPayloadIsDropped) {
    std::string damaged =
        bytes_.substr(0, blocks_[3].offset + BlockHeader::kSize + blocks_[3].payload_size);
    damaged.back() = static_cast<char>(damaged.back() ^ 1);
    write_bytes(path(), damaged);
    auto writer = StoreWriter::open_for_append(path(), kTinyBlocks);
    ASSERT_TRUE(writer);
    EXPECT_EQ(writer->dropped_bytes(), BlockHeader::kSize + blocks_[3].payload_size);
}

TEST_F(DamagedStore, PayloadBitsThatPassTheChecksumAreStillChecked) {
    const auto file = FileDescriptor::open(path(), 0);
    ASSERT_TRUE(file);
    const auto block = read_header(*file, blocks_[0].offset);
    ASSERT_TRUE(block);
    const auto payload = read_payload(*file, *block);
    ASSERT_TRUE(payload);
    Rng rng(Seed{5});
    std::vector<LabelledGame> games;
    for (int i = 0; i < 2000; ++i) {
        Bytes changed = *payload;
        changed[rng.below(changed.size())] ^= static_cast<std::uint8_t>(1 + rng.below(255));
        static_cast<void>(decode_block(changed, games));  // decodes or fails, but never crashes
        changed.resize(rng.below(changed.size()));
        EXPECT_FALSE(decode_block(changed, games));
    }
}

// Writes games 0, 1, 2, ... into the store until it is killed.
[[noreturn]] void write_until_killed(const std::filesystem::path& path,
                                     const std::vector<LabelledGame>& games) {
    auto writer = StoreWriter::open_for_append(path, kTinyBlocks);
    if (!writer) ::_exit(1);
    for (std::size_t i = writer->manifest().summary.games;; ++i) {
        if (!writer->append(games[i % games.size()])) ::_exit(2);
        if (i % 7 == 0 && !writer->flush()) ::_exit(3);
    }
}

TEST(KilledWriter, LosesAtMostTheUnfinishedBlock) {
    const TemporaryFolder folder;
    const auto path = folder / "a.sgt";
    const auto games = random_games(Seed{12}, 50, 30);
    {
        Manifest manifest;
        manifest.note = "must survive";
        auto writer = StoreWriter::create(path, manifest, kTinyBlocks);
        ASSERT_TRUE(writer && writer->close());
    }
    Rng rng(Seed{13});
    std::size_t before = 0;
    for (int round = 0; round < kKills; ++round) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) write_until_killed(path, games);
        ::usleep(static_cast<useconds_t>(rng.below(20'000)));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed on its own: " << status;

        const auto file = StoreFile::open(path);
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->manifest().note, "must survive");
        EXPECT_LE(file->damage().size(), 1U);
        const ReadGames read = read_games(path);
        ASSERT_GE(read.games.size(), before) << "round " << round;
        for (std::size_t i = 0; i < read.games.size(); ++i) {
            ASSERT_EQ(read.games[i], games[i % games.size()]) << "game " << i;
        }
        before = read.games.size();
    }
    EXPECT_GT(before, 0U);
}

}  // namespace
}  // namespace solis::data
