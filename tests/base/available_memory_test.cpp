// Tests of base/available_memory.h on made-up folders, and on the machine itself.
#include "solis/base/available_memory.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace solis {
namespace {

namespace fs = std::filesystem;

class AvailableMemory : public testing::Test {
  protected:
    AvailableMemory()
        : root_(fs::temp_directory_path() / ("solis_memory_" + std::to_string(::getpid()))) {
        write("proc/meminfo", "MemTotal:  9000 kB\nMemFree: 10 kB\nMemAvailable:    5000 kB\n");
    }
    ~AvailableMemory() override { fs::remove_all(root_); }

    void write(const fs::path& file, const std::string& text) {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text;
    }

    fs::path root_;
};

TEST_F(AvailableMemory, IsWhatTheSystemSaysWithoutLimits) {
    EXPECT_EQ(available_memory(root_), 5000u * 1024);
    write("proc/self/cgroup", "0::/some/group\n");
    write("sys/fs/cgroup/some/group/memory.max", "max\n");
    write("sys/fs/cgroup/some/group/memory.current", "1000\n");
    EXPECT_EQ(available_memory(root_), 5000u * 1024);
}

TEST_F(AvailableMemory, IsWhatTheSmallestLimitOfAnyParentLeaves) {
    write("proc/self/cgroup", "0::/outer/inner\n");
    write("sys/fs/cgroup/outer/inner/memory.max", "4000000\n");
    write("sys/fs/cgroup/outer/inner/memory.current", "1000000\n");
    EXPECT_EQ(available_memory(root_), 3000000u);
    write("sys/fs/cgroup/outer/memory.max", "2000000\n");
    write("sys/fs/cgroup/outer/memory.current", "1500000\n");
    EXPECT_EQ(available_memory(root_), 500000u);
    write("sys/fs/cgroup/outer/memory.stat", "anon 900000\ninactive_file 600000\n");
    EXPECT_EQ(available_memory(root_), 1100000u);
    write("sys/fs/cgroup/memory.max", "100\n");
    write("sys/fs/cgroup/memory.current", "300\n");
    EXPECT_EQ(available_memory(root_), 0u);
}

TEST_F(AvailableMemory, UnderstandsTheFirstVersionOfControlGroups) {
    write("proc/self/cgroup", "8:cpu:/a\n7:memory:/docker/x\n");
    write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "3000000\n");
    write("sys/fs/cgroup/memory/docker/x/memory.usage_in_bytes", "1000000\n");
    EXPECT_EQ(available_memory(root_), 2000000u);
}

TEST_F(AvailableMemory, IsUnknownWhereNothingTells) {
    EXPECT_EQ(available_memory(root_ / "no-such-folder"), std::nullopt);
}

TEST_F(AvailableMemory, OfThisMachineIsSomething) {
    const auto bytes = available_memory();
    ASSERT_TRUE(bytes);
    EXPECT_GT(*bytes, 1u << 20);
}

}  // namespace
}  // namespace solis
