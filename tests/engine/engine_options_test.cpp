// The table of options.
#include "solis/engine/uci/engine_options.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace solis::engine {
namespace {

TEST(EngineOptions, EveryLineReadsBackAsTheOptionItDeclares) {
    for (const OptionEntry& entry : option_table()) {
        const auto read = parse_option(option_line(entry.option));
        ASSERT_TRUE(read) << entry.option.name;
        EXPECT_EQ(read->name, entry.option.name);
        EXPECT_EQ(read->type, entry.option.type);
        EXPECT_EQ(read->default_value, entry.option.default_value);
        EXPECT_EQ(read->min, entry.option.min);
        EXPECT_EQ(read->max, entry.option.max);
        EXPECT_EQ(read->choices, entry.option.choices);
    }
}

TEST(EngineOptions, DefaultsAreAccepted) {
    const auto table = option_table();
    EngineOptions options;
    for (const OptionEntry& entry : table) {
        EXPECT_TRUE(set_option(table, entry.option.name, entry.option.default_value, options))
            << entry.option.name;
    }
    EXPECT_EQ(options, EngineOptions());
}

TEST(EngineOptions, HasTheNamesThatClientsSend) {
    const auto table = option_table();
    for (const char* name : {"Threads",
                             "Hash",
                             "Clear Hash",
                             "Ponder",
                             "MultiPV",
                             "Move Overhead",
                             "SyzygyPath",
                             "UCI_Chess960",
                             "UCI_LimitStrength",
                             "UCI_Elo",
                             "UCI_ShowWDL",
                             "UCI_AnalyseMode",
                             "UCI_Opponent",
                             "UCI_EngineAbout",
                             "Debug Log File",
                             "OwnBook",
                             "BookFile",
                             "WeightsFile",
                             "EncoderCommand",
                             "Plan",
                             "Width",
                             "Depth",
                             "Scoring",
                             "VerboseMoveStats"}) {
        const auto known = std::find_if(table.begin(), table.end(), [&](const OptionEntry& e) {
            return e.option.name == name;
        });
        EXPECT_NE(known, table.end()) << name;
    }
}

TEST(EngineOptions, CaseDoesNotMatter) {
    const auto table = option_table();
    EngineOptions options;
    EXPECT_EQ(set_option(table, "hASH", "128", options), "Hash");
    EXPECT_EQ(options.hash, 128);
    EXPECT_TRUE(set_option(table, "plan", "PAPER", options));
    EXPECT_EQ(options.plan, "paper");
    EXPECT_TRUE(set_option(table, "uci_showwdl", "True", options));
    EXPECT_TRUE(options.show_wdl);
}

TEST(EngineOptions, EmptyIsWrittenInAngleBrackets) {
    const auto table = option_table();
    EngineOptions options;
    options.syzygy_path = "/somewhere";
    EXPECT_TRUE(set_option(table, "SyzygyPath", "<empty>", options));
    EXPECT_EQ(options.syzygy_path, "");
}

TEST(EngineOptions, WhatDoesNotFitChangesNothing) {
    const auto table = option_table();
    const std::pair<const char*, const char*> bad[] = {
        {"Hash", "0"},     {"Hash", ""},        {"Hash", "many"}, {"Threads", "1000000"},
        {"Ponder", "yes"}, {"Plan", "perfect"}, {"Nothing", "1"}, {"", ""},
        {"MultiPV", "-1"}, {"Hash", "1e3"}};
    for (const auto& [name, value] : bad) {
        EngineOptions options;
        EXPECT_FALSE(set_option(table, name, value, options)) << name << '=' << value;
        EXPECT_EQ(options, EngineOptions()) << name << '=' << value;
    }
}

TEST(EngineOptions, WdlIsOffByDefault) { EXPECT_FALSE(EngineOptions().show_wdl); }

}  // namespace
}  // namespace solis::engine
