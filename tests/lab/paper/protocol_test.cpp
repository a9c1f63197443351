// Games of the paper's protocol: only those that were played to their end count.
#include "solis/lab/paper/protocol.h"

#include "solis/lab/match/game_log.h"
#include "tests/lab/match/match_helpers.h"

namespace solis::lab {
namespace {

ProtocolMatch against(const std::string& mode) {
    return {"match",
            {fake_player("a", {"normal"}, nodes_limit()),
             fake_player("b", {mode, "9"}, nodes_limit())}};
}

ProtocolOptions options_in(const TemporaryFolder& folder, std::uint64_t games) {
    ProtocolOptions options;
    options.folder = folder.file("");
    options.games = games;
    return options;
}

TEST(PaperProtocol, FaultsAreToldButNeverCount) {
    const TemporaryFolder folder;
    int faults = 0, clean = 0;
    ProtocolHooks hooks;
    hooks.on_game = [&](const GameRecord& game) { ++(game.at_fault ? faults : clean); };
    const auto crashed = play_protocol(against("crash"), options_in(folder, 10), hooks);
    ASSERT_TRUE(crashed) << crashed.error().message;
    EXPECT_GT(faults, 0);
    EXPECT_EQ(crashed->planned, 10u);
    EXPECT_EQ(crashed->games.size(), static_cast<std::size_t>(clean));
    EXPECT_EQ(read_game_log(folder.file("match.log"))->games.size(), crashed->games.size());
    for (const GameRecord& game : crashed->games) EXPECT_FALSE(game.at_fault);
}

TEST(PaperProtocol, AnEngineThatNeverStartsLosesNoGame) {
    const TemporaryFolder folder;
    const auto played = play_protocol(against("crash-at-start"), options_in(folder, 4), {});
    ASSERT_TRUE(played) << played.error().message;
    EXPECT_TRUE(played->games.empty());
    EXPECT_EQ(played->planned, 4u);
}

TEST(PaperProtocol, ContinuesWhereItWas) {
    const TemporaryFolder folder;
    int games = 0;
    ProtocolHooks hooks;
    hooks.on_game = [&](const GameRecord&) { ++games; };
    ASSERT_TRUE(play_protocol(against("normal"), options_in(folder, 4), hooks));
    EXPECT_EQ(games, 4);
    const auto more = play_protocol(against("normal"), options_in(folder, 6), hooks);
    ASSERT_TRUE(more) << more.error().message;
    EXPECT_EQ(games, 6);
    EXPECT_EQ(more->games.size(), 6u);
}

TEST(PaperProtocol, StockfishIsGivenNodesInsteadOfTimeWhereAskedFor) {
    ProtocolOptions options;
    EXPECT_EQ(capped_stockfish(1500, options).limits.text(), "50 ms");
    options.stockfish_nodes = 27'000;
    EXPECT_EQ(capped_stockfish(1500, options).limits.text(), "27000 nodes");
}

}  // namespace
}  // namespace solis::lab
