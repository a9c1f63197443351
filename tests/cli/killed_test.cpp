// Long commands killed twenty times at random moments: repeated, they end as if nothing had
// happened. Labelling and matches have theirs in tests/lab.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

constexpr int kKills = 20;
// What the shell tells of a command that SIGKILL ended, through timeout(1).
constexpr int kKilledExit = 128 + 9;

class KilledCommand : public testing::Test {
  protected:
    [[nodiscard]] std::string path(const std::string& name) const {
        return "'" + (folder_ / name).string() + "'";
    }
    [[nodiscard]] std::string bytes_of(const std::string& name) const {
        std::ifstream file(folder_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    // Tells how many seconds it took, by which the kills are timed: machines differ.
    static double run_whole(const std::string& arguments) {
        const auto start = std::chrono::steady_clock::now();
        const Finished run = run_solis("-q " + arguments);
        EXPECT_EQ(run.exit_code, 0) << run.errors;
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    // Runs a command that makes `name` again and again, each time for a random part of `seconds`,
    // until more than a quarter of the runs were cut short. Where they were not, the machine was
    // busier when `seconds` was measured than it is now: all begins anew with half of it.
    void run_and_kill(const std::string& arguments, const std::string& name, double seconds,
                      Rng& rng) const {
        for (; kills_of_runs(arguments + path(name), seconds, rng) <= kKills / 4; seconds /= 2) {
            ASSERT_GT(seconds, 1e-3) << "runs end however early they are killed";
            std::filesystem::remove_all(folder_ / name);
        }
    }

    TemporaryFolder folder_;

  private:
    static int kills_of_runs(const std::string& arguments, double seconds, Rng& rng) {
        int killed = 0;
        for (int i = 0; i < kKills; ++i) {
            const Finished run =
                run_solis("-q " + arguments,
                          fmt::format("timeout -s KILL {:.3f} ", 0.01 + seconds * rng.unit()));
            killed += run.exit_code == kKilledExit || run.exit_code == -1;
            EXPECT_TRUE(run.exit_code == kKilledExit || run.exit_code <= 0) << run.errors;
        }
        return killed;
    }
};

TEST_F(KilledCommand, EndingsAreThoseOfOneRun) {
    const std::string command =
        "data endings --pieces R --positions 40000 --save-every 0.02 --out ";
    const double seconds = run_whole(command + path("whole.sgt"));
    Rng rng(Seed{7});
    run_and_kill(command, "killed.sgt", seconds, rng);
    run_whole(command + path("killed.sgt"));
    for (const std::string name : {"whole", "killed"}) {
        run_whole("data export --format tsv " + path(name + ".sgt") + " --out " +
                  path(name + ".tsv"));
    }
    EXPECT_GT(bytes_of("whole.tsv").size(), 1'000'000u);
    EXPECT_TRUE(bytes_of("killed.tsv") == bytes_of("whole.tsv"));
}

TEST_F(KilledCommand, EndingsOfOtherOptionsAreRefused) {
    run_whole("data endings --pieces R --positions 10 --out " + path("a.sgt"));
    const Finished run =
        run_solis("data endings --pieces R --positions 20 --seed 2 --out " + path("a.sgt"));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("choose another --out"), std::string::npos) << run.errors;
    // More of the same are welcome.
    run_whole("data endings --pieces R --positions 20 --out " + path("a.sgt"));
    EXPECT_NE(run_solis("data info " + path("a.sgt")).output.find("20"), std::string::npos);
}

TEST_F(KilledCommand, ATrainingRunIsThatOfOneRun) {
    run_whole("data endings --pieces Q R --positions 4000 --out " + path("a.sgt"));
    const std::string command =
        "train --stores " + path("a.sgt") +
        " --features pieces --accumulators 64 --dims 16 --batch 64 --threads 1 --steps 4000 "
        "--held-out 0.3 --validate-every 300 --validation-moves 0 --checkpoint-seconds 0 --out ";
    const double seconds = run_whole(command + path("whole"));
    Rng rng(Seed{8});
    run_and_kill(command, "killed", 0.25 * seconds, rng);
    run_whole(command + path("killed"));
    for (const std::string name : {"model.safetensors", "metrics.jsonl"}) {
        EXPECT_FALSE(bytes_of("whole/" + name).empty());
        EXPECT_TRUE(bytes_of("killed/" + name) == bytes_of("whole/" + name)) << name;
    }
}

// The tables of one rook and one queen take more than this.
TEST_F(KilledCommand, NoMemoryIsAnErrorAndNoAbort) {
    const Finished run = run_solis("data endings --pieces QR --positions 10 --out " + path("a.sgt"),
                                   "prlimit --as=100000000 ");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("error: out of memory"), std::string::npos) << run.errors;
}

}  // namespace
}  // namespace solis::cli
