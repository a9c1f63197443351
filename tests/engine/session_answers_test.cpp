// What a session says at the end of a search, whenever the end comes, and with what memory.
#include <future>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/engine/session_fixture.h"

namespace solis::engine {
namespace {

using SaidLines = std::vector<std::string>;

// The info lines with a score that stand directly before the bestmove at the end.
std::vector<SearchInfo> final_infos(const SaidLines& lines) {
    std::vector<SearchInfo> infos;
    if (lines.empty() || !lines.back().starts_with("bestmove ")) return infos;
    for (std::size_t i = lines.size() - 1; i-- > 0;) {
        const auto info = parse_info(lines[i]);
        if (!info || !info->score || info->pv.empty()) break;
        infos.insert(infos.begin(), *info);
        if (info->multipv == 1) break;
    }
    return infos;
}

TEST(SessionAnswers, AScoreStandsRightBeforeEveryBestmove) {
    InlineSession engine(2000);
    for (const char* search : {"go depth 1", "go depth 3", "go nodes 1", "go nodes 700",
                               "go infinite\nstop", "go movetime 1"}) {
        for (const char* plan : {"deep", "paper", "puct"}) {
            const SaidLines lines =
                engine.say(std::string("setoption name Plan value ") + plan + "\n" + search);
            const auto infos = final_infos(lines);
            ASSERT_EQ(infos.size(), 1u) << plan << ": " << search;
            std::string_view best = std::string_view(lines.back()).substr(9);
            EXPECT_TRUE(infos[0].pv.starts_with(next_word(best))) << plan << ": " << search;
        }
    }
}

TEST(SessionAnswers, LinesAreInOrderWhereverASearchEnds) {
    InlineSession engine(100'000);
    engine.say(
        "setoption name MultiPV value 3\nposition fen "
        "rnb1kbnr/pppp1ppp/8/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1");
    for (int i = 0; i < 30; ++i) {
        const SaidLines lines = engine.say(fmt::format("ucinewgame\ngo nodes {}", 500 + 311 * i));
        const auto infos = final_infos(lines);
        ASSERT_EQ(infos.size(), 3u);
        for (std::size_t k = 1; k < 3; ++k) {
            ASSERT_FALSE(infos[k].score->is_mate);
            EXPECT_LE(infos[k].score->value, infos[k - 1].score->value) << lines[lines.size() - 2];
        }
        for (const std::string& line : lines) {
            const auto info = parse_info(line);
            if (!info || !info->score) continue;
            EXPECT_GE(info->seldepth, info->depth) << line;
        }
    }
}

TEST(SessionAnswers, TellEmbeddingsBesideNodes) {
    InlineSession engine(3000);
    const SaidLines lines = engine.say("go nodes 1500");
    const auto infos = final_infos(lines);
    ASSERT_EQ(infos.size(), 1u);
    EXPECT_GE(infos[0].nodes, 1500u);
    std::string_view text;
    for (const std::string& line : lines) {
        if (line.starts_with("info string embeddings ")) text = std::string_view(line).substr(23);
    }
    std::uint64_t embedded = 0, nodes = 0;
    ASSERT_TRUE(read_number(next_word(text), embedded));
    EXPECT_EQ(next_word(text), "of");
    ASSERT_TRUE(read_number(next_word(text), nodes));
    EXPECT_EQ(nodes, infos[0].nodes);
    EXPECT_LE(embedded, nodes);
    EXPECT_GT(embedded, 100u);
}

TEST(SessionAnswers, AHashLargerThanMemoryIsRefusedAndTheEnginePlaysOn) {
    InlineSession engine;
    // Before and after the first table is made.
    for (int i = 0; i < 2; ++i) {
        const SaidLines lines = engine.say("setoption name Hash value 1048576");
        EXPECT_EQ(count_starting(lines, "info string error: no memory for a hash of 1048576 MiB"),
                  1u);
        EXPECT_EQ(engine.session().options().hash, 16);
        EXPECT_EQ(engine.say("isready"), SaidLines{"readyok"});
        EXPECT_EQ(count_starting(engine.say("go depth 1"), "bestmove "), 1u);
    }
    EXPECT_TRUE(engine.say("setoption name Hash value 2").empty());
    EXPECT_EQ(engine.session().options().hash, 2);
}

TEST(ThreadRunner, RunsTasksOneAfterTheOtherOnOneThread) {
    ThreadRunner runner;
    std::thread::id first, second;
    std::promise<void> go_on;
    bool done = false;
    runner.start([&] {
        first = std::this_thread::get_id();
        go_on.get_future().wait();
        done = true;
    });
    go_on.set_value();
    runner.join();
    EXPECT_TRUE(done);
    runner.start([&] { second = std::this_thread::get_id(); });
    runner.join();
    EXPECT_EQ(first, second);
    EXPECT_NE(first, std::this_thread::get_id());
    runner.join();
}

TEST(ThreadRunner, FinishesTheTaskItHasBeforeItEnds) {
    bool done = false;
    {
        ThreadRunner runner;
        runner.start([&] { done = true; });
    }
    EXPECT_TRUE(done);
}

TEST(WakeSignal, EndsAWaitForInput) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    WakeSignal wake;
    DescriptorInput input(ends[0], wake.descriptor());
    std::string_view line;
    wake.raise();
    wake.raise();
    EXPECT_EQ(input.next(line), DescriptorInput::Status::Woken);
    wake.clear();
    // Half a line is no line; the rest comes later.
    ASSERT_EQ(::write(ends[1], "go dep", 6), 6);
    std::thread other([&] { wake.raise(); });
    EXPECT_EQ(input.next(line), DescriptorInput::Status::Woken);
    other.join();
    wake.clear();
    ASSERT_EQ(::write(ends[1], "th 3\n", 5), 5);
    EXPECT_EQ(input.next(line), DescriptorInput::Status::Line);
    EXPECT_EQ(line, "go depth 3");
    ::close(ends[1]);
    EXPECT_EQ(input.next(line), DescriptorInput::Status::End);
    ::close(ends[0]);
}

}  // namespace
}  // namespace solis::engine
