// Files that appear when they are complete, and what killed programs leave behind.
#include "solis/base/pending_file.h"

#include <filesystem>
#include <optional>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solis/base/file.h"
#include "solis/base/temporary_file.h"
#include "tests/base/temporary_folder.h"

namespace solis {
namespace {

TEST(PendingFile, AppearsOnlyWhenCommitted) {
    const TemporaryFolder folder;
    auto file = PendingFile::create(folder / "a.txt");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("whole"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(folder.read("a.txt"), "whole");
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(PendingFile, LeavesNothingWithoutCommit) {
    const TemporaryFolder folder;
    { ASSERT_TRUE(PendingFile::create(folder / "a.txt")); }
    EXPECT_EQ(folder.entries(), 0u);
}

TEST(PendingFile, RefusesAFileThatExists) {
    const TemporaryFolder folder;
    folder.write("a.txt", "precious");
    const auto file = PendingFile::create(folder / "a.txt", Existing::Refuse);
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().message.find("a.txt' exists already"), std::string::npos);
    EXPECT_NE(file.error().hint.find("--force"), std::string::npos);
    ASSERT_TRUE(write_file_atomically(folder / "a.txt", "new"));
    EXPECT_EQ(folder.read("a.txt"), "new");
}

TEST(PendingFile, RefusesAFileThatAppearedMeanwhile) {
    const TemporaryFolder folder;
    auto file = PendingFile::create(folder / "a.txt", Existing::Refuse);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("late"));
    folder.write("a.txt", "precious");
    const auto committed = file->commit();
    ASSERT_FALSE(committed);
    EXPECT_NE(committed.error().message.find("exists already"), std::string::npos);
    EXPECT_EQ(folder.read("a.txt"), "precious");
}

TEST(PendingFile, TwoWritersOfOneNameDoNotMix) {
    const TemporaryFolder folder;
    auto first = PendingFile::create(folder / "a.txt");
    auto second = PendingFile::create(folder / "a.txt");
    ASSERT_TRUE(first);
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_NE(first->temporary_path(), second->temporary_path());
    ASSERT_TRUE(first->write("first"));
    ASSERT_TRUE(second->write("second"));
    ASSERT_TRUE(first->commit());
    EXPECT_EQ(folder.read("a.txt"), "first");
    ASSERT_TRUE(second->commit());
    EXPECT_EQ(folder.read("a.txt"), "second");
    EXPECT_EQ(folder.entries(), 1u);
}

// A child process that is killed while it writes.
TEST(PendingFile, RemovesWhatAKilledProgramLeft) {
    const TemporaryFolder folder;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        auto file = PendingFile::create(folder / "a.txt");
        if (file && file->write("half")) ::raise(SIGKILL);
        ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(folder.entries(), 1u) << "the temporary file of the child";
    ASSERT_TRUE(write_file_atomically(folder / "a.txt", "whole"));
    EXPECT_EQ(folder.read("a.txt"), "whole");
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(PendingFile, TakesNoOtherFileForATemporaryOne) {
    const TemporaryFolder folder;
    for (const char* name : {"a.txt.tmp", "a.txt.1.tmp", "a.txt.1-.tmp", "a.txt.-1.tmp",
                             "a.txt.1-x.tmp", "b.txt.1-0.tmp", "a.txt.1-0.tmp2", "a.txt"}) {
        folder.write(name, "mine");
    }
    EXPECT_EQ(remove_stale_temporaries(folder / "a.txt"), 0u);
    folder.write("a.txt.99-0.tmp", "left behind");
    EXPECT_EQ(remove_stale_temporaries(folder / "a.txt"), 1u);
    EXPECT_EQ(folder.entries(), 8u);
}

TEST(PendingFile, DoesNotFollowALinkThatHasTheNameOfItsTemporary) {
    const TemporaryFolder folder;
    folder.write("victim", "precious");
    std::filesystem::create_symlink("victim",
                                    folder / ("a.txt." + std::to_string(::getpid()) + "-0.tmp"));
    ASSERT_TRUE(write_file_atomically(folder / "a.txt", "new"));
    EXPECT_EQ(folder.read("victim"), "precious");
    EXPECT_EQ(folder.read("a.txt"), "new");
}

TEST(PendingFile, WritesDevicesDirectly) {
    ASSERT_TRUE(write_file_atomically("/dev/null", "gone", Existing::Refuse));
    struct stat info {};
    ASSERT_EQ(::stat("/dev/null", &info), 0);
    EXPECT_TRUE(S_ISCHR(info.st_mode));
    const auto full = write_file_atomically("/dev/full", "lost");
    ASSERT_FALSE(full);
    EXPECT_NE(full.error().message.find("'/dev/full'"), std::string::npos);
}

TEST(PendingFile, ReplacesWhatALinkPointsTo) {
    const TemporaryFolder folder;
    folder.write("a.txt", "old");
    std::filesystem::create_symlink("a.txt", folder / "link");
    ASSERT_TRUE(write_file_atomically(folder / "link", "new"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(folder.read("a.txt"), "new");
}

TEST(SameFile, IsFoundUnderEveryName) {
    const TemporaryFolder folder;
    const std::string a = folder.write("a", "x");
    folder.write("b", "x");
    std::filesystem::create_symlink("a", folder / "link");
    std::filesystem::create_hard_link(a, folder / "hard");
    for (const char* name : {"a", "./a", "link", "hard", "none/../a"}) {
        EXPECT_TRUE(is_same_file(a, folder / name)) << name;
    }
    EXPECT_FALSE(is_same_file(a, folder / "b"));
    EXPECT_TRUE(is_same_file(folder / "none", folder / "./none")) << "which do not exist";
    EXPECT_FALSE(is_same_file(folder / "none", folder / "other"));
    const std::vector<std::string> names{a, folder / "b", folder / "link", folder / "b"};
    EXPECT_EQ(first_named_twice(names), folder / "link");
    EXPECT_EQ(first_named_twice(std::span(names).first(2)), "");
}

TEST(PendingFile, NamesTheFolderThatIsMissing) {
    const TemporaryFolder folder;
    const auto file = PendingFile::create(folder / "none/a.txt");
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().message.find("there is no folder"), std::string::npos);
    EXPECT_FALSE(PendingFile::create(folder.path()));
}

}  // namespace
}  // namespace solis
