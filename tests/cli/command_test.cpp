// The built command as a user runs it.
#include <gtest/gtest.h>

#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

TEST(Command, VersionNamesCompilerAndSimd) {
    const Finished run = run_solis("--version");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.output.find("solis 0."), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("SIMD "), std::string::npos) << run.output;
}

}  // namespace
}  // namespace solis::cli
