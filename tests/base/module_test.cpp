// Where modules are looked for, and what is said where there is none.
#include "solis/base/module.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace solis {
namespace {

TEST(Module, FoldersAreAbsoluteAndNeverTheWorkingDirectory) {
    const auto folders = module_folders();
    ASSERT_GE(folders.size(), 3u);
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    EXPECT_EQ(folders[0], program.parent_path());
    for (const auto& folder : folders) EXPECT_TRUE(folder.is_absolute()) << folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path("/");
    EXPECT_EQ(module_folders(), folders);
    std::filesystem::current_path(before);
}

TEST(Module, WhatIsMissingIsNamedWithEveryPlace) {
    const auto function = load_function("solis-nothing", "nothing");
    ASSERT_FALSE(function);
    for (const auto& folder : module_folders()) {
        EXPECT_NE(function.error().message.find((folder / "solis-nothing.so").string()),
                  std::string::npos)
            << function.error().message;
    }
}

}  // namespace
}  // namespace solis
