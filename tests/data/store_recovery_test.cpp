// Stores after full disks, kills and rivals: what was begun is continued or undone, never doubled.
#include <csignal>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solis/data/store/reader.h"
#include "solis/data/store/writer.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/random_games.h"

namespace solis::data {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kSessionKills = 8;
#else
constexpr int kSessionKills = 20;
#endif

constexpr StoreOptions kRecoveryBlocks{.zstd_level = 1, .block_positions = 300};

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<LabelledGame> whole_games(const std::filesystem::path& path) {
    std::vector<LabelledGame> games;
    auto source = StoreSource::open(path);
    EXPECT_TRUE(source) << source.error().message;
    LabelledGame game;
    while (source) {
        const auto more = (*source)->next(game);
        EXPECT_TRUE(more) << more.error().message;
        if (!more || !*more) break;
        games.push_back(game);
    }
    return games;
}

// Runs `work` in a child process that may write files of at most `bytes`: a disk that gets full.
template <class Work>
int exit_code_on_small_disk(std::uint64_t bytes, Work&& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, bytes};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ::_exit(work());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StoreOnAFullDisk, ACreationThatFailsLeavesNothing) {
    const TemporaryFolder folder;
    const auto path = folder / "a.sgt";
    for (const std::uint64_t room : {0u, 5u, 16u, 100u, 200u}) {
        const int code = exit_code_on_small_disk(
            room, [&] { return StoreWriter::create(path, {}, kRecoveryBlocks) ? 1 : 0; });
        EXPECT_EQ(code, 0) << room;
        EXPECT_FALSE(std::filesystem::exists(path)) << room;
    }
}

TEST(StoreOnAFullDisk, WhatWasWrittenStaysAndIsContinued) {
    const TemporaryFolder folder;
    const auto path = folder / "a.sgt";
    const auto games = random_games(Seed{3}, 60, 40);
    for (const std::uint64_t room : {1000u, 4000u, 9000u}) {
        std::filesystem::remove(path);
        const int code = exit_code_on_small_disk(room, [&] {
            auto writer = StoreWriter::create(path, {}, kRecoveryBlocks);
            if (!writer) return 1;
            for (const LabelledGame& game : games) {
                if (!writer->append(game)) return 0;  // full, as it should be
            }
            const auto closed = writer->close();
            if (closed) return 2;
            // Said again, where somebody may read it, is why.
            return closed.error().message.find("cannot write '") == 0 ? 0 : 3;
        });
        ASSERT_EQ(code, 0) << room;
        const auto before = StoreFile::open(path);
        ASSERT_TRUE(before) << before.error().message;
        EXPECT_TRUE(before->damage().empty()) << "half a block was left";
        auto writer = StoreWriter::open_or_create(path, {}, kRecoveryBlocks);
        ASSERT_TRUE(writer) << writer.error().message;
        for (std::size_t i = writer->manifest().summary.games; i < games.size(); ++i) {
            ASSERT_TRUE(writer->append(games[i]));
        }
        ASSERT_TRUE(writer->close());
        EXPECT_EQ(whole_games(path), games) << room;
    }
}

TEST(StoreOnAFullDisk, ACreationThatWasCutShortIsBegunAgain) {
    const TemporaryFolder folder;
    const auto path = folder / "a.sgt";
    Manifest manifest;
    manifest.note = "origin";
    ASSERT_TRUE(StoreWriter::create(path, manifest, kRecoveryBlocks));
    const auto file = StoreFile::open(path);
    ASSERT_TRUE(file);
    const std::string bytes = content(path);
    const std::size_t first_block_end = bytes.find("SGTb", bytes.find("SGTb") + 4);
    const auto games = random_games(Seed{4}, 5, 10);
    for (std::size_t size = 0; size < first_block_end; size += 7) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes.substr(0, size);
        auto writer = StoreWriter::open_or_create(path, manifest, kRecoveryBlocks);
        ASSERT_TRUE(writer) << size << ": " << writer.error().message;
        for (const LabelledGame& game : games) ASSERT_TRUE(writer->append(game));
        ASSERT_TRUE(writer->close());
        EXPECT_EQ(whole_games(path), games) << size;
        EXPECT_EQ(StoreFile::open(path)->manifest().note, "origin");
    }
    // Other files are not taken for one.
    std::ofstream(path, std::ios::trunc) << "my notes";
    EXPECT_FALSE(StoreWriter::open_or_create(path, manifest, kRecoveryBlocks));
    EXPECT_EQ(content(path), "my notes");
}

class StoreSession : public testing::Test {
  protected:
    void SetUp() override {
        auto writer = StoreWriter::create(path(), {}, kRecoveryBlocks);
        ASSERT_TRUE(writer);
        for (const LabelledGame& game : first_) ASSERT_TRUE(writer->append(game));
        ASSERT_TRUE(writer->close());
        session_.all_or_nothing = true;
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "a.sgt"; }
    [[nodiscard]] std::vector<LabelledGame> both() const {
        std::vector<LabelledGame> all = first_;
        all.insert(all.end(), second_.begin(), second_.end());
        return all;
    }
    void add_second() const {
        auto writer = StoreWriter::open_for_append(path(), session_);
        ASSERT_TRUE(writer) << writer.error().message;
        for (const LabelledGame& game : second_) ASSERT_TRUE(writer->append(game));
        writer->manifest().note = "second";
        ASSERT_TRUE(writer->close());
    }

    TemporaryFolder folder_;
    std::vector<LabelledGame> first_ = random_games(Seed{5}, 40, 30);
    std::vector<LabelledGame> second_ = random_games(Seed{6}, 40, 30);
    StoreOptions session_ = kRecoveryBlocks;
};

TEST_F(StoreSession, CountsWhenItIsClosed) {
    add_second();
    EXPECT_EQ(whole_games(path()), both());
    const auto scanned = StoreFile::scan(path());
    ASSERT_TRUE(scanned);
    EXPECT_EQ(scanned->manifest().summary.games, both().size());
    EXPECT_EQ(scanned->manifest().note, "second");
}

TEST_F(StoreSession, IsUndoneIfItIsNotClosed) {
    const std::string before = content(path());
    {
        auto writer = StoreWriter::open_for_append(path(), session_);
        ASSERT_TRUE(writer);
        for (const LabelledGame& game : second_) ASSERT_TRUE(writer->append(game));
    }
    EXPECT_EQ(whole_games(path()), first_);
    EXPECT_TRUE(StoreFile::open(path())->has_index());
    add_second();
    EXPECT_EQ(whole_games(path()), both());
}

TEST_F(StoreSession, TwentyKillsNeitherLoseNorDoubleAGame) {
    Rng rng(Seed{7});
    std::size_t rolled_back = 0;
    for (int round = 0; round < kSessionKills; ++round) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            auto writer = StoreWriter::open_for_append(path(), session_);
            if (!writer) ::_exit(1);
            for (std::size_t i = 0;; ++i) {
                if (!writer->append(second_[i % second_.size()])) ::_exit(2);
            }
        }
        ::usleep(static_cast<useconds_t>(2000 + rng.below(20'000)));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed on its own: " << status;
        EXPECT_EQ(whole_games(path()), first_) << "round " << round;
        auto writer = StoreWriter::open_for_append(path(), session_);
        ASSERT_TRUE(writer) << writer.error().message;
        rolled_back += writer->rolled_back() ? 1 : 0;
    }
    EXPECT_GT(rolled_back, 0u);
    add_second();
    EXPECT_EQ(whole_games(path()), both());
}

// A session that ended and was damaged later is damaged, not undone.
TEST_F(StoreSession, ADamagedManifestOfAFinishedSessionDoesNotUndoIt) {
    add_second();
    std::string bytes = content(path());
    const std::size_t manifest = bytes.rfind("\"second\"");
    ASSERT_NE(manifest, std::string::npos);
    bytes[manifest + 2] = 'X';
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
    const auto scanned = StoreFile::scan(path());
    ASSERT_TRUE(scanned);
    EXPECT_EQ(scanned->manifest().summary.games, both().size());
    EXPECT_EQ(scanned->damage().size(), 1u);
}

TEST(StoreThatAppearsWhenClosed, IsWrittenByOneProcessAtATime) {
    const TemporaryFolder folder;
    const auto path = folder / "a.sgt";
    const StoreOptions late{.appears_when_closed = true};
    auto first = StoreWriter::create(path, {}, late);
    ASSERT_TRUE(first);
    const auto second = StoreWriter::create(path, {}, late);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("being written by another process"), std::string::npos);
    // Somebody else's file of that name is not overwritten in the end.
    std::ofstream(path) << "mine";
    EXPECT_FALSE(first->close());
    EXPECT_EQ(content(path), "mine");
}

TEST(StoreThatAppearsWhenClosed, TakesOverWhatAKilledProcessLeft) {
    const TemporaryFolder folder;
    const auto path = folder / "a.sgt";
    std::ofstream(folder / "a.sgt.partial") << "half a store of a killed process";
    const auto games = random_games(Seed{8}, 5, 10);
    auto writer = StoreWriter::create(path, {}, {.appears_when_closed = true});
    ASSERT_TRUE(writer) << writer.error().message;
    for (const LabelledGame& game : games) ASSERT_TRUE(writer->append(game));
    ASSERT_TRUE(writer->close());
    EXPECT_EQ(whole_games(path), games);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.sgt.partial"));
}

}  // namespace
}  // namespace solis::data
