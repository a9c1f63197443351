// Benchmarks of the network run, and report what they promise. No speed is asserted.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

using Json = nlohmann::json;

std::string mini_model() { return SOLIS_TEST_FILES "/../../models/mini.safetensors"; }

TEST(BenchCommand, EncoderReportsSpeedAndAgreement) {
    const Finished finished =
        run_solis("bench encoder --trees 2 --rounds 1 --json --model '" SOLIS_TEST_FILES
                  "/../../models/default.safetensors'");
    ASSERT_EQ(finished.exit_code, 0) << finished.errors;
    const Json report = Json::parse(finished.output);
    // Four levels of three children each.
    EXPECT_EQ(report["expansions"], 2 * (1 + 3 + 9 + 27));
    EXPECT_GT(report["embeddings_per_second"], 0.0);
    EXPECT_GT(report["ratio"], 0.0);
    EXPECT_GT(report["least_cosine"], 0.997);
    EXPECT_GT(report["rank_agreement"], 0.98);
    EXPECT_LE(report["rank_agreement"], 1.0);
}

TEST(BenchCommand, EncoderMeasuresTransformersByName) {
    const Finished finished = run_solis("bench encoder --preset mini --rounds 1 --json");
    ASSERT_EQ(finished.exit_code, 0) << finished.errors;
    const Json report = Json::parse(finished.output);
    EXPECT_EQ(report["parameters"], 831360);
    EXPECT_GT(report["embeddings_per_second"], 0.0);
    EXPECT_GT(report["training_positions_per_second"], 0.0);
    EXPECT_GT(report["least_cosine"], 0.99999);
    EXPECT_EQ(run_solis("bench encoder --preset medium").exit_code, 2);
    const Finished silent = run_solis("bench encoder --preset mini --rounds 1 --peer true");
    EXPECT_EQ(silent.exit_code, 1);
    EXPECT_NE(silent.errors.find("gave no answer"), std::string::npos) << silent.errors;
}

TEST(BenchCommand, IntegersKeepTheOrderOfATrainedMinisSiblings) {
    const Finished finished =
        run_solis("bench encoder --model '" + mini_model() + "' --rounds 1 --trees 2 --json");
    ASSERT_EQ(finished.exit_code, 0) << finished.errors;
    const Json report = Json::parse(finished.output);
    for (const char* bits : {"integer_siblings", "siblings"}) {
        const Json siblings = report[bits];
        EXPECT_EQ(siblings["parents"], 4);
        EXPECT_GT(siblings["pairs"], 100);
        EXPECT_GT(siblings["least_cosine"], 0.999);
        EXPECT_GT(siblings["in_order"], 0.98) << bits;
    }
}

TEST(BenchCommand, DepthGrowsWithNodesAndTellsTheBranchingFactor) {
    const Finished finished =
        run_solis("bench depth --nodes 300 30000 --positions 2 --threads 2 --json");
    ASSERT_EQ(finished.exit_code, 0) << finished.errors;
    const Json report = Json::parse(finished.output);
    ASSERT_EQ(report["rows"].size(), 2u);
    EXPECT_GT(report["rows"][1]["depth"], report["rows"][0]["depth"]);
    EXPECT_GT(report["rows"][1]["stockfish_depth"], report["rows"][0]["stockfish_depth"]);
    EXPECT_GT(report["branching"], 1.0);
    EXPECT_LT(report["branching"], 10.0);
    EXPECT_GT(report["threads"]["ratio"], 0.0);
    EXPECT_EQ(run_solis("bench depth --nodes 1").exit_code, 2);
}

TEST(BenchCommand, EncoderNamesAModelItCannotRead) {
    const Finished finished = run_solis("bench encoder --model no-such-file");
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_NE(finished.errors.find("no-such-file"), std::string::npos) << finished.errors;
}

TEST(BenchCommand, PlanTellsWhatAMoveCosts) {
    const std::string command = "bench plan --repeats 1 --width 1 --json --threads ";
    const Finished one = run_solis(command + "1"), two = run_solis(command + "2");
    ASSERT_EQ(one.exit_code, 0) << one.errors;
    ASSERT_EQ(two.exit_code, 0) << two.errors;
    const Json rows = Json::parse(one.output)["rows"], shared = Json::parse(two.output)["rows"];
    ASSERT_EQ(rows.size(), 3u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_GT(rows[i]["ms_per_move"], 0.0);
        EXPECT_GT(rows[i]["wall_ms_per_move"], 0.0);
        EXPECT_EQ(rows[i]["embedded"], shared[i]["embedded"]) << "threads change no plan";
    }
}

TEST(BenchCommand, TrainReportsItsShareOfThePeak) {
    const Finished finished = run_solis("bench train --batch 64 --rounds 1 --json");
    ASSERT_EQ(finished.exit_code, 0) << finished.errors;
    const Json report = Json::parse(finished.output);
    EXPECT_GT(report["positions_per_second"], 0.0);
    EXPECT_GT(report["ratio"], 0.0);
    double shares = 0;
    for (const auto& [stage, share] : report["cpu_share"].items()) shares += share.get<double>();
    EXPECT_NEAR(shares, 1.0, 1e-9);
}

}  // namespace
}  // namespace solis::cli
