// solis rate and solis sprt as a user runs them.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

// A shell command that writes `count` games of the same result as PGN.
std::string games(const std::string& white, const std::string& black, const std::string& result,
                  int count) {
    return "for i in $(seq " + std::to_string(count) + "); do printf '[White \"" + white +
           "\"]\\n[Black \"" + black + "\"]\\n[Result \"" + result + "\"]\\n\\n" + result +
           "\\n\\n'; done; ";
}

std::string from(const std::string& commands) { return " - <<END\n$(" + commands + ")\nEND\n"; }

TEST(RateCommand, PrintsAListFromTheStrongestDown) {
    const Finished run = run_solis(
        "rate" + from(games("weak", "strong", "0-1", 30) + games("strong", "weak", "1/2-1/2", 10)));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_LT(run.output.find("strong"), run.output.find("weak"));
    EXPECT_NE(run.output.find("87.5%"), std::string::npos) << run.output;
}

TEST(RateCommand, WarnsAboutALadderThatIsFlat) {
    std::string text;
    for (const std::string cap : {"1400", "1600", "1800"}) {
        text += games("x", "sf " + cap, "1-0", 50) + games("sf " + cap, "x", "1-0", 50);
    }
    const Finished run =
        run_solis("rate --anchor 'sf 1400=1400' --anchor 'sf 1600=1600' --anchor 'sf 1800=1800'" +
                  from(text));
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.errors.find("do not quote the Elo"), std::string::npos) << run.errors;
    EXPECT_NE(run.output.find("anchor"), std::string::npos) << run.output;
}

TEST(RateCommand, SaysWhatIsWrongWithAnchors) {
    const std::string two = from(games("a", "b", "1-0", 1));
    for (const auto& [anchor, part] : {std::pair{"a", "has no '='"},
                                       {"a=x", "no number"},
                                       {"c=1", "'c' played no game"},
                                       {"a=1 --anchor a=2", "already"}}) {
        const Finished run = run_solis("rate --anchor " + std::string(anchor) + two);
        EXPECT_EQ(run.exit_code, 1) << anchor;
        EXPECT_NE(run.errors.find(part), std::string::npos) << run.errors;
    }
}

TEST(RateCommand, JsonHasPlayersFitAndWarnings) {
    const Finished run = run_solis("rate --json --los --fit-drawelo --fit-advantage" +
                                   from(games("a", "b", "1-0", 3) + games("b", "a", "1-0", 2) +
                                        games("b", "a", "0-1", 1) + games("a", "b", "0-1", 1) +
                                        games("a", "b", "1/2-1/2", 2)));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_EQ(report["players"].size(), 2u);
    EXPECT_EQ(report["players"][0]["player"], "a");
    EXPECT_EQ(report["players"][0]["games"], 9);
    EXPECT_NEAR(
        report["superiority"][0][1].get<double>() + report["superiority"][1][0].get<double>(), 1,
        1e-9);
}

TEST(RateCommand, NoGamesIsAnErrorNotACrash) {
    EXPECT_EQ(run_solis("rate - < /dev/null").exit_code, 1);
    EXPECT_EQ(run_solis("rate /nonexistent.pgn").exit_code, 1);
}

TEST(SprtCommand, PrintsTheRatioOfPublishedCounts) {
    const Finished run = run_solis(
        "sprt --pentanomial 127,4883,10712,5150,104 --elo0 -1.75 "
        "--elo1 0.25 --json");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_NEAR(report["llr"].get<double>(), 3.01, 0.03);
    EXPECT_EQ(report["decision"], "accept elo1");
}

TEST(SprtCommand, TakesWinsDrawsLossesInThatOrder) {
    const Finished run = run_solis("sprt --wdl 136,111,96");
    EXPECT_NE(run.output.find("Elo      +40.7 ± 30.4"), std::string::npos) << run.output;
}

TEST(SprtCommand, RefusesWhatMakesNoTest) {
    EXPECT_EQ(run_solis("sprt").exit_code, 2);
    EXPECT_EQ(run_solis("sprt --wdl 1,2,3 --pentanomial 1,2,3,4,5").exit_code, 2);
    EXPECT_EQ(run_solis("sprt --wdl 1,2,3 --elo0 5 --elo1 5").exit_code, 2);
    EXPECT_EQ(run_solis("sprt --wdl 1,2").exit_code, 1);
    EXPECT_EQ(run_solis("sprt --wdl 1,-2,3").exit_code, 1);
    EXPECT_EQ(run_solis("sprt --wdl 0,0,0").exit_code, 1);
}

TEST(RateCommand, AnOptionDoesNotSwallowTheFile) {
    const Finished run = run_solis("rate --anchor x=1 /nonexistent.pgn");
    EXPECT_NE(run.errors.find("/nonexistent.pgn"), std::string::npos) << run.errors;
}

}  // namespace
}  // namespace solis::cli
