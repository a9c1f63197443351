// solis label as a user runs it: resumed, killed, refused, interrupted.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "solis/base/rng.h"
#include "solis/data/store/reader.h"
#include "solis/engine/client/child_process.h"
#include "tests/base/temporary_folder.h"

namespace solis::lab {
namespace {

using std::chrono::milliseconds;

#ifdef SOLIS_SANITIZED
constexpr int kLabelledGames = 160;
#else
constexpr int kLabelledGames = 600;
#endif

class LabelCommand : public testing::Test {
  protected:
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    [[nodiscard]] static std::vector<std::string> command(const std::string& out,
                                                          std::vector<std::string> more) {
        std::vector<std::string> words{
            SOLIS_BINARY,  "-q", "label",        "--engine", SOLIS_FAKE_ENGINE, "--out", out,
            "--processes", "2",  "--save-every", "0"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    [[nodiscard]] std::uintmax_t size_of(const std::string& name) const {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(path(name), error);
        return error ? 0 : size;
    }

    // 0 where the kill came before the file was a store.
    [[nodiscard]] std::size_t saved_games(const std::string& name) const {
        return data::StoreFile::open(path(name)) ? games_of(path(name)).size() : 0;
    }

    static engine::ExitStatus run(const std::vector<std::string>& words) {
        auto child = engine::ChildProcess::start(words);
        EXPECT_TRUE(child) << child.error().message;
        return child->exit_status(milliseconds(120'000)).value_or(engine::ExitStatus{true, 0});
    }

    static std::vector<data::LabelledGame> games_of(const std::string& file) {
        std::vector<data::LabelledGame> games;
        // A kill may leave an unfinished block at the end.
        auto source = data::StoreSource::open(file, data::OnDamage::Skip);
        EXPECT_TRUE(source) << source.error().message;
        data::LabelledGame game;
        while (source) {
            const auto more = (*source)->next(game);
            EXPECT_TRUE(more);
            if (!more || !*more) break;
            games.push_back(game);
        }
        return games;
    }

    TemporaryFolder folder_;
};

TEST_F(LabelCommand, ContinuingEqualsOneRun) {
    ASSERT_EQ(run(command(path("whole"), {"--games", "40"})), (engine::ExitStatus{false, 0}));
    for (const char* games : {"7", "20", "40", "40"}) {
        ASSERT_EQ(run(command(path("parts"), {"--games", games})), (engine::ExitStatus{false, 0}));
    }
    const auto whole = games_of(path("whole"));
    EXPECT_EQ(whole.size(), 40u);
    EXPECT_EQ(games_of(path("parts")), whole);
}

TEST_F(LabelCommand, TwentyKillsLoseNothingThatWasSaved) {
    const std::vector<std::string> more{"--games", std::to_string(kLabelledGames), "--max-plies",
                                        "20"};
    ASSERT_EQ(run(command(path("whole"), more)), (engine::ExitStatus{false, 0}));
    Rng rng(Seed{20});
    std::size_t saved = 0;
    for (int i = 0; i < 20; ++i) {
        const std::uintmax_t before = size_of("killed");
        {
            auto child = engine::ChildProcess::start(command(path("killed"), more));
            ASSERT_TRUE(child);
            // Until something is written, and then to a random moment after it.
            while (size_of("killed") <= before && !child->exit_status(milliseconds(1))) {
            }
            (void)child->exit_status(milliseconds(rng.below(20)));
        }  // SIGKILL
        const std::size_t now = saved_games("killed");
        EXPECT_GE(now, saved);
        saved = now;
    }
    EXPECT_GT(saved, 0u);
    ASSERT_EQ(run(command(path("killed"), more)), (engine::ExitStatus{false, 0}));
    EXPECT_EQ(games_of(path("killed")), games_of(path("whole")));
}

TEST_F(LabelCommand, CtrlCEndsCleanlyAndTheRunCanBeContinued) {
    auto child = engine::ChildProcess::start(command(path("store"), {"--games", "100000"}));
    ASSERT_TRUE(child);
    while (!std::filesystem::exists(path("store")) ||
           std::filesystem::file_size(path("store")) < 4096) {
        ASSERT_FALSE(child->exit_status(milliseconds(10)));
    }
    ::kill(child->pid(), SIGINT);
    EXPECT_EQ(child->exit_status(milliseconds(60'000)), (engine::ExitStatus{false, 130}));
    const auto file = data::StoreFile::open(path("store"));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_TRUE(file->has_index());
    EXPECT_GT(games_of(path("store")).size(), 0u);
}

TEST_F(LabelCommand, OtherOptionsDoNotContinueARun) {
    ASSERT_EQ(run(command(path("store"), {"--games", "2"})), (engine::ExitStatus{false, 0}));
    const auto before = games_of(path("store"));
    EXPECT_EQ(run(command(path("store"), {"--games", "4", "--seed", "2"})),
              (engine::ExitStatus{false, 1}));
    EXPECT_EQ(run(command(path("store"), {"--games", "4", "--nodes", "50"})),
              (engine::ExitStatus{false, 1}));
    EXPECT_EQ(games_of(path("store")), before);
}

TEST_F(LabelCommand, ListsOfPositionsAreLabelledInOrder) {
    std::ofstream(path("list.epd")) << "# comment\n"
                                       "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id \"x\";\n"
                                       "not a position\n"
                                       "\n"
                                       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
                                       "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n";
    ASSERT_EQ(run(command(path("store"), {"--from", path("list.epd")})),
              (engine::ExitStatus{false, 0}));
    const auto games = games_of(path("store"));
    ASSERT_EQ(games.size(), 3u);
    EXPECT_FALSE(games[0].line[0].score.is_none());
    EXPECT_EQ(games[1].start, chess::Position::start());
    EXPECT_EQ(games[1].branches.size(), 1u);
    EXPECT_EQ(games[2].line[0].score, data::Score::centipawns(0));
}

TEST_F(LabelCommand, PuzzlesAreLabelledAlongTheirLine) {
    std::ofstream(path("puzzles.csv"))
        << "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl\n"
           "1,6k1/5ppp/8/8/8/7P/8/R5K1 b - - 0 1,h7h6 a1a8,1000,80,90,100,mate,u\n";
    ASSERT_EQ(run(command(path("store"), {"--from", path("puzzles.csv"), "--format", "puzzles"})),
              (engine::ExitStatus{false, 0}));
    const auto games = games_of(path("store"));
    ASSERT_EQ(games.size(), 1u);
    EXPECT_EQ(games[0].line.size(), 3u);
}

TEST_F(LabelCommand, WrongUsageIsExitCode2) {
    EXPECT_EQ(run(command(path("store"), {})).code, 2) << "self-play without an end";
    EXPECT_EQ(run(command(path("store"), {"--games", "1", "--children", "some"})).code, 2);
    EXPECT_EQ(run(command(path("store"), {"--games", "1", "--opening-plies", "5", "2"})).code, 2);
    EXPECT_FALSE(std::filesystem::exists(path("store")));
}

}  // namespace
}  // namespace solis::lab
