// Engine texts of the command line.
#include "solis/lab/player_spec.h"

#include <gtest/gtest.h>

namespace solis::lab {
namespace {

using std::chrono::milliseconds;

TEST(PlayerSpec, ReadsEveryKey) {
    const auto player = parse_player(
        "name=sf,cmd=/opt/sf,arg=-u,arg=x,option.Hash=16,option.EvalFile=\"a,b.nnue\","
        "tc=40/1:30+0.5,st=50ms,nodes=1000,depth=7");
    ASSERT_TRUE(player) << player.error().message;
    EXPECT_EQ(player->name, "sf");
    EXPECT_EQ(player->program, "/opt/sf");
    EXPECT_EQ(player->arguments, (std::vector<std::string>{"-u", "x"}));
    ASSERT_EQ(player->options.size(), 2u);
    EXPECT_EQ(player->options[1].second, "a,b.nnue");
    EXPECT_EQ(player->limits.clock, (ClockControl{milliseconds(90'000), milliseconds(500), 40}));
    EXPECT_EQ(player->limits.movetime, milliseconds(50));
    EXPECT_EQ(player->limits.nodes, 1000u);
    EXPECT_EQ(player->limits.depth, 7);
    EXPECT_EQ(parse_player(to_text(*player)), *player);
}

TEST(PlayerSpec, FirstWordIsTheCommandAndItsFileTheName) {
    const auto player = parse_player("/opt/engines/fish,st=1.5");
    ASSERT_TRUE(player) << player.error().message;
    EXPECT_EQ(player->program, "/opt/engines/fish");
    EXPECT_EQ(player->name, "fish");
    EXPECT_EQ(player->limits.movetime, milliseconds(1500));
}

TEST(PlayerSpec, OwnValuesReplaceDefaults) {
    const auto each = parse_player_defaults("tc=10+0.1,option.Hash=16,option.Threads=2");
    ASSERT_TRUE(each) << each.error().message;
    const auto player = parse_player("cmd=x,option.Hash=64,nodes=5", *each);
    ASSERT_TRUE(player);
    EXPECT_FALSE(player->limits.clock) << "an own limit replaces all of them";
    EXPECT_EQ(player->options,
              (std::vector<std::pair<std::string, std::string>>{{"Hash", "64"}, {"Threads", "2"}}));
    EXPECT_TRUE(parse_player("cmd=x", *each)->limits.clock);
}

TEST(PlayerSpec, NonsenseIsRefusedWithAReason) {
    for (const char* text : {"",
                             "name=x",
                             "cmd=x,hash=3",
                             "cmd=x,tc=",
                             "cmd=x,tc=0",
                             "cmd=x,tc=-1+0",
                             "cmd=x,tc=a/5",
                             "cmd=x,tc=0/5",
                             "cmd=x,st=0",
                             "cmd=x,st=fast",
                             "cmd=x,nodes=0",
                             "cmd=x,nodes=-5",
                             "cmd=x,depth=0",
                             "cmd=x,option.=3",
                             "cmd=\"x",
                             "cmd=\"x\"y",
                             "=x",
                             "cmd=x,tc=nan",
                             "cmd=x,st=inf",
                             "\"",
                             "\"x\",nodes=1",
                             "cmd=x,tc=1e99"}) {
        const auto player = parse_player(text);
        ASSERT_FALSE(player) << text;
        EXPECT_FALSE(player.error().message.empty()) << text;
    }
}

TEST(PlayerSpec, SolisIsThisProgram) {
    const auto engine =
        to_engine(*parse_player("solis,arg=--model,arg=m"), {.binary = "/here/solis"});
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->command, (std::vector<std::string>{"/here/solis", "uci", "--model", "m"}));
    EXPECT_FALSE(to_engine(*parse_player("no-such-engine-anywhere"), {}));
}

TEST(PlayerSpec, InternalIsThisProgramWithoutAProcess) {
    const auto player = parse_player("internal,option.Hash=8,nodes=100");
    ASSERT_TRUE(player);
    EXPECT_EQ(player->name, "internal");
    EXPECT_EQ(*parse_player(to_text(*player)), *player);
    const auto engine = to_engine(*player, {.binary = "/here/solis", .name = "SOLIS 9"});
    ASSERT_TRUE(engine);
    EXPECT_TRUE(engine->in_process);
    EXPECT_EQ(engine->command, std::vector<std::string>{"SOLIS 9"});
    EXPECT_EQ(engine->options, player->options);
    EXPECT_FALSE(to_engine(*parse_player("solis"), {})->in_process);
    for (const char* impossible : {"internal,arg=x", "internal,option.syzygypath=/tables"}) {
        EXPECT_FALSE(to_engine(*parse_player(impossible), {})) << impossible;
    }
}

TEST(PlayerSpec, SolisIsToldUciOnceWhetherOrNotItIsSaid) {
    const std::vector<std::string> expected{"/here/solis", "uci"};
    for (const char* text : {"cmd=solis", "cmd=solis,arg=uci"}) {
        const auto engine = to_engine(*parse_player(text), {.binary = "/here/solis"});
        ASSERT_TRUE(engine) << text;
        EXPECT_EQ(engine->command, expected) << text;
    }
}

}  // namespace
}  // namespace solis::lab
