// Tests of what is watched, and of maps that are kept.
#include <filesystem>
#include <fstream>
#include <thread>

#include "solis/lab/match/game_log.h"
#include "solis/studio/map/room.h"
#include "solis/studio/watch/follower.h"
#include "tests/base/temporary_folder.h"
#include "tests/studio/studio_test.h"

namespace solis::studio {
namespace {

namespace fs = std::filesystem;

class WatchTest : public StudioTest {
  protected:
    [[nodiscard]] std::string path(const std::string& name) const { return folder_.file(name); }
    void append(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::app) << text;
    }

    const TemporaryFolder folder_;
};

lab::GameRecord played(std::uint64_t number, chess::GameResult result) {
    lab::GameRecord game;
    game.number = number;
    game.white = number % 2 == 0 ? "A" : "B";
    game.black = number % 2 == 0 ? "B" : "A";
    game.result = result;
    game.ending = lab::Ending::Resignation;
    game.started_at = "2026-01-01T00:00:00Z";
    return game;
}

TEST_F(WatchTest, LinesComeOnceAndOnlyWhenTheyAreWhole) {
    FileFollower follower(path("file"));
    EXPECT_FALSE(follower.read()) << "it is not there yet";
    append("file", "one\ntw");
    EXPECT_EQ(follower.read()->lines, std::vector<std::string>{"one"});
    EXPECT_TRUE(follower.read()->lines.empty());
    append("file", "o\nthree\n");
    EXPECT_EQ(follower.read()->lines, (std::vector<std::string>{"two", "three"}));
    std::ofstream(path("file")) << "new\n";
    const auto fresh = follower.read();
    EXPECT_TRUE(fresh->restarted);
    EXPECT_EQ(fresh->lines, std::vector<std::string>{"new"});
}

TEST_F(WatchTest, AMatchIsFollowedAsItIsPlayed) {
    const std::string identity = R"({"players":["A","B"],"paired":true})";
    auto log = lab::GameLog::open(path("m.jsonl"), identity);
    ASSERT_TRUE(log) << log.error().message;
    ASSERT_TRUE(log->add(played(0, chess::GameResult::WhiteWins)));
    StudioOptions options = small_options();
    options.match_logs = {path("m.jsonl")};
    start(options);
    EXPECT_EQ(status()["watch"][0]["id"], "m0");
    TestClient client(port());
    client.send(request_text("GET", "/api/v1/watch/m0"));
    EXPECT_EQ(client.head().headers.at("Content-Type"), "text/event-stream");
    const auto first = client.event_named("match");
    ASSERT_TRUE(first);
    EXPECT_EQ(first->data["games"], 1);
    EXPECT_EQ(first->data["players"][0]["wins"], 1);
    EXPECT_EQ(client.event_named("game")->data["result"], "1-0");
    ASSERT_TRUE(log->add(played(1, chess::GameResult::Draw)));
    EXPECT_EQ(client.event_named("match")->data["games"], 2);
    EXPECT_EQ(client.event_named("game")->data["white"], "B");
    // The end of the file is the end of the stream where nobody follows.
    const Reply once = get(port(), "/api/v1/watch/m0?follow=0");
    EXPECT_NE(once.body.find("\"games\":2"), std::string::npos);
    EXPECT_EQ(get(port(), "/api/v1/watch/m1").status, 404);
}

TEST_F(WatchTest, ARunTellsItsMetricsAndWhatIsMissing) {
    StudioOptions options = small_options();
    options.run_folders = {folder_.file("")};
    start(options);
    TestClient client(port());
    client.send(request_text("GET", "/api/v1/watch/r0"));
    EXPECT_EQ(client.head().status, 200);
    EXPECT_TRUE(client.event_named("problem")) << "there is no metrics.jsonl yet";
    append("metrics.jsonl", "{\"step\":10,\"loss\":2.5}\nnonsense\n{\"step\":20,\"lo");
    const auto rows = client.event_named("metrics");
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->data["rows"].size(), 1u);
    EXPECT_EQ(rows->data["rows"][0]["loss"], 2.5);
    append("metrics.jsonl", "ss\":2.25}\n");
    EXPECT_EQ(client.event_named("metrics")->data["rows"][0]["step"], 20);
}

TEST_F(WatchTest, AMatchLogThatIsNoneIsAProblemAndNoCrash) {
    append("m.jsonl", "{\"players\":[[[[[[[[[[\n{}\n\x01\xff\n" + std::string(5000, '[') + "\n");
    StudioOptions options = small_options();
    options.match_logs = {path("m.jsonl")};
    start(options);
    const Reply reply = get(port(), "/api/v1/watch/m0?follow=0");
    EXPECT_EQ(reply.status, 200);
    EXPECT_NE(reply.body.find("event: problem"), std::string::npos);
}

TEST_F(WatchTest, AMapIsKeptAndFoundAgain) {
    StudioOptions options = small_options();
    options.map.cache = folder_.path().string();
    start(options);
    const TestJson first = ready_map();
    EXPECT_FALSE(fs::is_empty(folder_ / "studio"));
    TearDown();
    SetUp();
    start(options);
    const TestJson made = ready_map();
    EXPECT_EQ(made["id"], first["id"]) << "the same sample and layout every time";
    studio_->stop();
    server_->stop();
    // What is damaged is made anew.
    for (const auto& entry : fs::directory_iterator(folder_ / "studio")) {
        fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    }
    start(options);
    EXPECT_EQ(ready_map()["id"], first["id"]);
}

TEST_F(WatchTest, TheSampleComesFromTheGamesThatWereGiven) {
    append("games.pgn",
           "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 "
           "Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 1-0\n");
    StudioOptions options = small_options();
    options.map.games = path("games.pgn");
    start(options);
    const TestJson map = ready_map();
    EXPECT_EQ(map["count"], 19);
    EXPECT_EQ(map["source"], "games.pgn");
    const TestJson near = call("similar", {{"moves", {"e4", "e5", "Nf3"}}, {"count", 1}})["points"];
    EXPECT_EQ(near[0]["game"].get<std::string>().substr(0, 9), "Ann - Bob");
    EXPECT_EQ(near[0]["ply"], 3);
    EXPECT_EQ(near[0]["move"], "Nc6");
}

}  // namespace
}  // namespace solis::studio
