// solis train under mpirun: two processes make the model that one makes.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "solis/model/model_file.h"
#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

class TrainMpi : public testing::Test {
  protected:
    void SetUp() override {
        if (std::system("mpirun --version >/dev/null 2>&1") != 0) {
            GTEST_SKIP() << "mpirun is not installed";
        }
        // Games of one position each: a queen more is a forced mate, a rook more is much.
        std::ofstream text(folder_ / "positions.tsv");
        for (int i = 0; i < 600; ++i) {
            const char* const pieces[]{"", "Q", "R", "q", "r"};
            const std::string more = pieces[i % 5];
            const std::string gap = more.empty() ? "8" : std::to_string(i / 5 % 7) + more;
            const int scores[]{0, 31991, 400 + i % 7, -31991, -400 - i % 7};
            const int score = scores[i % 5];
            text << "4k3/" << (i % 2 ? "p7" : "1p6") << "/" << padded(gap) << "/8/"
                 << padded(std::to_string(i % 7) + "n") << "/8/P7/"
                 << padded(std::to_string(i / 9 % 7) + "K") << " " << (i % 3 ? "w" : "b")
                 << " - - 0 1\t" << (i % 3 ? score : -score) << "\n";
        }
        text.close();
        const Finished import =
            run_solis("data import --format tsv '" + (folder_ / "positions.tsv").string() +
                      "' --out '" + store() + "'");
        ASSERT_EQ(import.exit_code, 0) << import.errors;
    }

    // A rank of a FEN, filled up to eight squares.
    static std::string padded(std::string rank) {
        if (rank.size() == 2 && rank[0] == '0') rank.erase(0, 1);
        int used = 0;
        for (const char c : rank) used += c >= '0' && c <= '9' ? c - '0' : 1;
        return used < 8 ? rank + std::to_string(8 - used) : rank;
    }

    [[nodiscard]] std::string store() const { return (folder_ / "games.sgt").string(); }

    // Runs under mpirun where there is more than one process.
    Finished train(int processes, const std::string& out, int batch = 64) const {
        const std::string arguments =
            "train --stores '" + store() + "' --out '" + (folder_ / out).string() +
            "' --features pieces --accumulators 64 --dims 16 --steps 60 --threads 1 "
            "--held-out 0.3 --validate-every 0 --validation-moves 0 --json --batch " +
            std::to_string(batch);
        if (processes == 1) return run_solis(arguments);
        // Open MPI leaks memory of its own, which the leak check would charge to us.
        return run_solis(arguments, "ASAN_OPTIONS=detect_leaks=0 mpirun -n " +
                                        std::to_string(processes) +
                                        " --allow-run-as-root --oversubscribe ");
    }

    TemporaryFolder folder_;
};

void expect_close(const nn::Tensor& one, const nn::Tensor& two) {
    ASSERT_EQ(one.values.size(), two.values.size());
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < one.values.size(); ++i) {
        difference += std::pow(static_cast<double>(one.values[i] - two.values[i]), 2);
        size += std::pow(static_cast<double>(one.values[i]), 2);
    }
    // Sums of floats in another order, over 60 steps.
    EXPECT_LT(std::sqrt(difference / size), 1e-4) << one.name;
}

TEST_F(TrainMpi, TwoProcessesMakeTheModelOfOne) {
    const Finished one = train(1, "one"), two = train(2, "two");
    ASSERT_EQ(one.exit_code, 0) << one.errors;
    ASSERT_EQ(two.exit_code, 0) << two.errors;
    // One process reports.
    EXPECT_TRUE(nlohmann::json::accept(two.output)) << two.output;
    const auto a = model::load_model(folder_ / "one/model.safetensors");
    const auto b = model::load_model(folder_ / "two/model.safetensors");
    ASSERT_TRUE(a && b);
    ASSERT_TRUE(a->swift() != nullptr && b->swift() != nullptr);
    const auto ours = a->swift()->weights.tensors(), theirs = b->swift()->weights.tensors();
    for (std::size_t i = 0; i < ours.size(); ++i) expect_close(*ours[i], *theirs[i]);
}

TEST_F(TrainMpi, AFinishedRunIsTakenUpByAnyNumberOfProcesses) {
    const Finished one = train(1, "run");
    ASSERT_EQ(one.exit_code, 0) << one.errors;
    const Finished two = train(2, "run");
    EXPECT_EQ(two.exit_code, 0) << two.errors;
    EXPECT_EQ(two.output, one.output);
}

TEST_F(TrainMpi, AFailureInOneProcessEndsAll) {
    std::ofstream(folder_ / "broken") << "a file where the folder should be";
    const Finished run = train(2, "broken/run");
    EXPECT_NE(run.exit_code, 0);
    EXPECT_NE(run.errors.find("cannot create"), std::string::npos) << run.errors;
}

TEST_F(TrainMpi, MoreProcessesThanWorkIsRefused) {
    const Finished run = train(2, "run", 8);
    EXPECT_NE(run.exit_code, 0);
    EXPECT_NE(run.errors.find("2 processes for batches of 8"), std::string::npos) << run.errors;
}

}  // namespace
}  // namespace solis::cli
