// Child processes: lines, deadlines, death.
#include "solis/engine/client/child_process.h"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace solis::engine {
namespace {

using std::chrono::milliseconds;

Clock::time_point in(int ms) { return Clock::now() + milliseconds(ms); }

Result<ChildProcess> shell(const std::string& script) {
    return ChildProcess::start({"sh", "-c", script});
}

TEST(ChildProcess, EchoesLinesOfBothLineEnds) {
    auto child = ChildProcess::start({"cat"});
    ASSERT_TRUE(child) << child.error().message;
    ASSERT_EQ(child->write("one\r\n\ntwo\n", in(5000)), IoStatus::Done);
    std::string_view line;
    for (const std::string_view expected : {"one", "", "two"}) {
        ASSERT_EQ(child->read_line(line, in(5000)), IoStatus::Done);
        EXPECT_EQ(line, expected);
    }
}

TEST(ChildProcess, MissingProgramIsAnErrorThatNamesIt) {
    const auto child = ChildProcess::start({"/no/such/engine"});
    ASSERT_FALSE(child);
    EXPECT_NE(child.error().message.find("/no/such/engine"), std::string::npos);
}

TEST(ChildProcess, SilenceEndsAtTheDeadline) {
    auto child = shell("sleep 100");
    std::string_view line;
    EXPECT_EQ(child->read_line(line, in(20)), IoStatus::TimedOut);
}

TEST(ChildProcess, EndlessOutputEndsAtTheDeadlineToo) {
    auto child = shell("while :; do echo x; done");
    const Clock::time_point deadline = in(50);
    std::string_view line;
    IoStatus status = IoStatus::Done;
    while (status == IoStatus::Done) status = child->read_line(line, deadline);
    EXPECT_EQ(status, IoStatus::TimedOut);
}

TEST(ChildProcess, EndlessLineIsCutOff) {
    auto child = shell("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
    std::string_view line;
    EXPECT_EQ(child->read_line(line, in(60000)), IoStatus::LineTooLong);
}

TEST(ChildProcess, LastLineWithoutEndIsNotALine) {
    auto child = shell("echo whole; printf half");
    std::string_view line;
    ASSERT_EQ(child->read_line(line, in(5000)), IoStatus::Done);
    EXPECT_EQ(line, "whole");
    EXPECT_EQ(child->read_line(line, in(5000)), IoStatus::Closed);
}

TEST(ChildProcess, WritingToADeadChildIsAnErrorNotASignal) {
    auto child = shell("exit 3");
    ASSERT_EQ(child->exit_status(milliseconds(5000)), (ExitStatus{false, 3}));
    EXPECT_EQ(child->write("hello\n", in(1000)), IoStatus::Closed);
    sigset_t pending;
    sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(ChildProcess, TwoFullPipesDoNotDeadlock) {
    auto child = ChildProcess::start({"cat"});
    const std::string text(400'000, 'x');  // more than both pipes hold
    ASSERT_EQ(child->write(text + "\n", in(10000)), IoStatus::Done);
    std::string_view line;
    ASSERT_EQ(child->read_line(line, in(10000)), IoStatus::Done);
    EXPECT_EQ(line, text);
}

TEST(ChildProcess, AChildThatDoesNotReadStopsTheWriterAtTheDeadline) {
    auto child = shell("sleep 100");
    EXPECT_EQ(child->write(std::string(1'000'000, 'x'), in(30)), IoStatus::TimedOut);
}

TEST(ChildProcess, ExitStatusTellsSignalsFromCodes) {
    auto killed = shell("kill -SEGV $$");
    const auto status = killed->exit_status(milliseconds(5000));
    ASSERT_TRUE(status);
    EXPECT_EQ(*status, (ExitStatus{true, SIGSEGV}));
    EXPECT_NE(status->text().find("signal 11"), std::string::npos) << status->text();
    EXPECT_EQ((ExitStatus{false, 2}).text(), "exited with code 2");
}

TEST(ChildProcess, DestroyingKillsTheWholeGroupAndLeavesNoZombie) {
    pid_t child_pid = -1, grandchild_pid = -1;
    {
        auto child = shell("sleep 1000 & echo $!; wait");
        child_pid = child->pid();
        std::string_view line;
        ASSERT_EQ(child->read_line(line, in(5000)), IoStatus::Done);
        grandchild_pid = std::stoi(std::string(line));
    }
    EXPECT_EQ(waitpid(child_pid, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    // The grandchild is reaped by init, or stays a zombie where there is none: never running.
    for (int i = 0; i < 500 && kill(grandchild_pid, 0) == 0; ++i) {
        std::ifstream stat("/proc/" + std::to_string(grandchild_pid) + "/stat");
        std::string pid, name, state;
        stat >> pid >> name >> state;
        if (state == "Z") return;
        std::this_thread::sleep_for(milliseconds(10));
    }
    EXPECT_NE(kill(grandchild_pid, 0), 0);
}

TEST(ChildProcess, ChildInheritsNoPipeOfAnotherChild) {
    const auto open_files = [] {
        auto child = ChildProcess::start({"ls", "/proc/self/fd"});
        std::string_view line;
        int count = 0;
        while (child->read_line(line, in(5000)) == IoStatus::Done) ++count;
        return count;
    };
    const int alone = open_files();
    auto other = ChildProcess::start({"cat"});
    EXPECT_EQ(open_files(), alone);
}

}  // namespace
}  // namespace solis::engine
