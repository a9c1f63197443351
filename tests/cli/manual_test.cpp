// Completion and manual pages, as shells and man(1) use them.
#include <filesystem>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

class Manual : public testing::Test {
  protected:
    // What bash offers after `words`, the last of which is being typed.
    std::string completed(const std::string& words, int index) const {
        const std::string script = (folder_ / "completion").string();
        const Finished run =
            run_solis("completion bash >" + script + " && bash -c 'source " + script +
                      "; COMP_WORDS=(" + words + ") COMP_CWORD=" + std::to_string(index) +
                      "; _solis; echo \"${COMPREPLY[*]}\"'");
        EXPECT_EQ(run.exit_code, 0) << run.errors;
        return run.output;
    }

    TemporaryFolder folder_;
};

TEST_F(Manual, BashCompletesCommandsTheirOptionsAndTheValuesOfThese) {
    EXPECT_EQ(completed("solis ra", 1), "rank rate\n");
    EXPECT_EQ(completed("solis data im", 2), "import\n");
    EXPECT_EQ(completed("solis rank --mo", 2), "--model\n");
    EXPECT_EQ(completed("solis rank --qu", 2), "--quiet\n") << "an option of every command";
    EXPECT_EQ(completed("solis map --kind \"\"", 3), "umap pca axis\n");
    EXPECT_EQ(completed("solis map --kind p", 3), "pca\n");
    // The other name of a command has its options, too.
    EXPECT_EQ(completed("solis analyse --multi", 2), completed("solis analyze --multi", 2));
    EXPECT_EQ(completed("solis rank pos", 2), "\n") << "files are left to the shell";
}

TEST_F(Manual, ZshScriptNamesEveryCommandWithItsHelp) {
    const Finished run = run_solis("completion zsh");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_TRUE(run.output.starts_with("#compdef solis\n"));
    EXPECT_NE(run.output.find("'perft:count legal move sequences'"), std::string::npos);
    EXPECT_NE(run.output.find("'solis map --kind') compadd -- umap pca axis; return"),
              std::string::npos);
    EXPECT_EQ(run_solis("completion fish").exit_code, 2);
}

TEST_F(Manual, EveryCommandHasAPageThatManCanRead) {
    const std::string pages = (folder_ / "man").string();
    EXPECT_EQ(run_solis("manual " + pages).exit_code, 0);
    const std::regex macro(R"(\.(TH|SH|TP|PP|B|BR)( .*)?)");
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(pages)) {
        ++count;
        std::ifstream file(entry.path());
        std::string line;
        std::getline(file, line);
        EXPECT_TRUE(line.starts_with(".TH \"solis")) << entry.path() << ": " << line;
        while (std::getline(file, line)) {
            if (line.starts_with('.')) {
                EXPECT_TRUE(std::regex_match(line, macro)) << entry.path() << ": " << line;
            }
            EXPECT_FALSE(line.starts_with('\'')) << entry.path() << ": " << line;
        }
    }
    EXPECT_GE(count, 25u);
    EXPECT_TRUE(std::filesystem::exists(pages + "/solis.1"));
    EXPECT_TRUE(std::filesystem::exists(pages + "/solis-data.1"));
    const Finished refused = run_solis("manual /proc/none");
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_NE(refused.errors.find("/proc/none"), std::string::npos) << refused.errors;
}

}  // namespace
}  // namespace solis::cli
