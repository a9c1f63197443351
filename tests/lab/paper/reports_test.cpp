// The paper's layout from made-up games.
#include <string>

#include <gtest/gtest.h>

#include "solis/chess/uci_move.h"
#include "solis/lab/paper/depth_report.h"
#include "solis/lab/paper/ladder_report.h"

namespace solis::lab {
namespace {

const PaperConfig kConfig{3, 3, Scoring::Anchored};

GameRecord game(std::uint64_t number, const std::string& opponent, double solis_points) {
    GameRecord record;
    record.number = number;
    const bool solis_is_white = number % 2 == 0;
    record.white = solis_is_white ? kConfig.name() : opponent;
    record.black = solis_is_white ? opponent : kConfig.name();
    record.result = solis_points == 0.5                     ? chess::GameResult::Draw
                    : (solis_points == 1) == solis_is_white ? chess::GameResult::WhiteWins
                                                            : chess::GameResult::BlackWins;
    const chess::Position start = chess::Position::start();
    const auto first = chess::parse_uci(start, number % 4 < 2 ? "e2e4" : "d2d4");
    EXPECT_TRUE(first);
    const chess::Position next = start.after(*first);
    const auto second = chess::parse_uci(next, "e7e5");
    EXPECT_TRUE(second);
    PlayedMove white{*first}, black{*second};
    white.nodes = 100;
    black.nodes = 300;
    record.moves = {white, black};
    return record;
}

TEST(DepthReport, CountsPointsAndNodesOfBothSides) {
    const std::string opponent = "stockfish-depth-3";
    const DepthMatch match =
        count_match(kConfig, std::vector<GameRecord>{game(0, opponent, 1), game(1, opponent, 0.5),
                                                     game(2, opponent, 0), game(3, opponent, 0)});
    EXPECT_EQ(match.score.games(), 4u);
    EXPECT_EQ(match.score.points(), 1.5);
    EXPECT_EQ(match.score.pairs[3], 1u);
    EXPECT_EQ(match.score.pairs[0], 1u);
    EXPECT_EQ(match.solis.moves, 4u);
    EXPECT_EQ(match.solis.average(), 200);
    EXPECT_EQ(match.stockfish.most, 300u);
    EXPECT_EQ(match.distinct_games, 2u);
    const std::vector matches{match};
    EXPECT_NE(depth_text(matches).find("only 2 of 4 games are different"), std::string::npos);
    EXPECT_NE(depth_text(matches).find("52.50"), std::string::npos);  // the paper's 105 of 200
    EXPECT_NE(nodes_text(matches).find("137, 1625"), std::string::npos);
}

TEST(DepthReport, CountsBeamNodesAsThePaper) {
    for (const PaperNodes& nodes : paper_nodes()) {
        EXPECT_EQ(beam_nodes({nodes.depth, 3, Scoring::Anchored}),
                  static_cast<std::uint64_t>(nodes.solis_most));
    }
}

// The same score against every cap: what the paper's tables look like.
TEST(LadderReport, WarnsAboutAFlatLadder) {
    LadderColumn column{kConfig, {}};
    const std::vector<int> caps{1400, 1600, 1800, 2000};
    std::uint64_t number = 0;
    for (const int cap : caps) {
        for (int pair = 0; pair < 40; ++pair) {
            column.games.push_back(game(number++, capped_name(cap), pair % 2 == 0 ? 1 : 0.5));
            column.games.push_back(game(number++, capped_name(cap), pair % 3 == 0 ? 0.5 : 0));
        }
    }
    const auto rated = rate_ladder(std::vector{column}, caps);
    ASSERT_TRUE(rated);
    ASSERT_EQ(rated->size(), 1u);
    EXPECT_NEAR((*rated)[0].elo, 1700, 60);
    const std::string text = ladder_text(*rated);
    EXPECT_NE(text.find("do not quote the Elo"), std::string::npos) << text;
    EXPECT_NE(text.find("anchored, depth 3"), std::string::npos) << text;
    EXPECT_NE(text.find("20-34-26 (46)"), std::string::npos) << text;
    EXPECT_NE(ladder_svg(*rated).find("W=3"), std::string::npos);
    EXPECT_NE(ladder_json(*rated).find("\"cap\":1400"), std::string::npos);
}

TEST(LadderReport, OfNothingIsEmpty) {
    const auto rated = rate_ladder(std::vector{LadderColumn{kConfig, {}}}, std::vector{1400});
    ASSERT_TRUE(rated);
    EXPECT_TRUE(rated->empty());
    EXPECT_NE(ladder_svg(*rated).find("</svg>"), std::string::npos);
}

TEST(Protocol, CapsReachTheEnginesMaximum) {
    EXPECT_EQ(caps_in({1320, 3190}, 500), (std::vector<int>{1350, 1850, 2350, 2850, 3190}));
    EXPECT_EQ(caps_in({1500, 1600}, 500), (std::vector<int>{1500, 1600}));
}

TEST(Protocol, PlayersHaveThePapersOptions) {
    ProtocolOptions options;
    options.weights = "m.solis";
    EXPECT_EQ(to_text(solis_player(kConfig, options)),
              "name=S3-W3-anchored,cmd=solis,option.Plan=paper,option.Width=3,option.Depth=3,"
              "option.Scoring=Anchored,option.WeightsFile=m.solis,depth=3");
    EXPECT_EQ(to_text(capped_stockfish(1500, options)),
              "name=stockfish-1500,cmd=stockfish,option.Hash=32,option.Threads=1,"
              "option.UCI_LimitStrength=true,option.UCI_Elo=1500,st=50ms");
}

}  // namespace
}  // namespace solis::lab
