// Tests of the calls that need no thinking, over HTTP.
#include <cmath>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "tests/studio/studio_test.h"

namespace solis::studio {
namespace {

class ApiTest : public StudioTest {
  protected:
    void SetUp() override { start(); }
};

TEST_F(ApiTest, StatusTellsModelsPlansAndLimits) {
    const TestJson now = status();
    EXPECT_EQ(now["api"], 1);
    EXPECT_EQ(now["version"], "test");
    EXPECT_EQ(now["models"][0]["id"], "default");
    EXPECT_EQ(now["models"][0]["kind"], "swift");
    EXPECT_GT(now["models"][0]["dims"], 0);
    EXPECT_EQ(now["plans"].size(), 3u);
    EXPECT_EQ(now["threads"], 1);
}

TEST_F(ApiTest, PositionIsTheArbiter) {
    const TestJson start = call("position", TestJson::object());
    EXPECT_EQ(start["fen"], chess::kStartFen);
    EXPECT_EQ(start["moves"].size(), 20u);
    EXPECT_TRUE(start["result"].is_null());
    const TestJson mate = call("position", {{"moves", {"f3", "e7e5", "g4", "Qh4"}}});
    EXPECT_EQ(mate["result"], "0-1");
    EXPECT_EQ(mate["reason"], "checkmate");
    EXPECT_EQ(mate["check"], true);
    EXPECT_EQ(mate["line"][3]["san"], "Qh4#");
    EXPECT_EQ(mate["moves"].size(), 0u);
    const TestJson repeated =
        call("position", {{"moves", {"Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"}}});
    EXPECT_EQ(repeated["result"], "1/2-1/2");
    EXPECT_EQ(repeated["reason"], "threefold repetition");
}

TEST_F(ApiTest, WrongPositionsAndMovesNameTheirPlace) {
    EXPECT_EQ(refused("position", {{"moves", {"e4", "e5", "Ke3"}}})["field"], "moves[2]");
    EXPECT_EQ(refused("position", {{"fen", "nonsense"}})["field"], "fen");
    EXPECT_EQ(refused("position", {{"fen", 7}})["field"], "fen");
    EXPECT_EQ(refused("position", {{"moves", "e4"}})["field"], "moves");
    EXPECT_EQ(refused("position", {{"moves", {1}}})["field"], "moves[0]");
    const TestJson typo = refused("position", {{"fne", "x"}});
    EXPECT_EQ(typo["field"], "fne");
    EXPECT_EQ(typo["hint"], "did you mean 'fen'?");
    EXPECT_EQ(refused("rank", {{"model", "none"}})["field"], "model");
    EXPECT_EQ(refused("score", {{"fens", {"8/8/8/8/8/8/8/8 w - - 0 1"}}})["field"], "fens[0]");
}

TEST_F(ApiTest, Chess960HasItsStartPositionsAndItsCastling) {
    const auto fen = [this](int number) {
        return get(port(), fmt::format("/api/v1/chess960?number={}", number)).json()["fen"];
    };
    EXPECT_EQ(fen(518), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    EXPECT_EQ(fen(0), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    EXPECT_EQ(fen(959), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1");
    EXPECT_EQ(get(port(), "/api/v1/chess960?number=960").status, 422);
    EXPECT_EQ(get(port(), "/api/v1/chess960?number=1x").status, 422);
    EXPECT_EQ(get(port(), "/api/v1/chess960").status, 200);
    const TestJson castled = call(
        "position",
        {{"fen", "6k1/8/8/8/8/8/8/1R2K2R w HB - 0 1"}, {"chess960", true}, {"moves", {"O-O"}}});
    EXPECT_EQ(castled["line"][0]["uci"], "e1h1");
    EXPECT_EQ(castled["fen"], "6k1/8/8/8/8/8/8/1R3RK1 b - - 1 1");
}

TEST_F(ApiTest, PgnComesWithGamesVariationsAndWhatIsBroken) {
    const std::string pgn =
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{begin} 1. e4 $1 {best by test} (1. d4 "
        "d5 (1... Nf6)) (1. c4) e5 2. Nf3 1-0\n\n[White \"C\"]\n\n1. e4 Ke4 *\n";
    const TestJson list = call("pgn", {{"pgn", pgn}});
    EXPECT_EQ(list["count"], 2);
    EXPECT_EQ(list["games"][0]["tags"]["White"], "A");
    EXPECT_EQ(list["games"][0]["plies"], 3);
    EXPECT_EQ(list["broken"][0]["index"], 1);
    EXPECT_TRUE(list["game"].is_null());
    const TestJson game = call("pgn", {{"pgn", pgn}, {"game", 0}})["game"];
    EXPECT_EQ(game["comments"][0], "begin");
    const TestJson& first = game["line"][0];
    EXPECT_EQ(first["nags"][0], 1);
    EXPECT_EQ(first["comments"][0], "best by test");
    ASSERT_EQ(first["variations"].size(), 2u);
    EXPECT_EQ(first["variations"][0][1]["san"], "d5");
    EXPECT_EQ(first["variations"][0][1]["variations"][0][0]["san"], "Nf6");
    EXPECT_EQ(first["variations"][1][0]["san"], "c4");
    EXPECT_EQ(game["line"][2]["san"], "Nf3");
    EXPECT_EQ(refused("pgn", {{"pgn", pgn}, {"game", 2}})["field"], "game");
    EXPECT_EQ(refused("pgn", {{"pgn", ""}})["field"], "pgn");
}

TEST_F(ApiTest, ScoresEmbeddingsAndRanksAgree) {
    const TestJson ranked = call("rank", {{"moves", {"e4", "e5", "Qh5", "Ke7"}}});
    EXPECT_EQ(ranked["moves"][0]["san"], "Qxe5#");
    EXPECT_EQ(ranked["moves"][0]["p"], 1.0);
    EXPECT_EQ(ranked["moves"][0]["finished"], true);
    const std::string fen = ranked["moves"][1]["fen"];
    const TestJson score = call("score", {{"fens", {fen}}})["scores"][0];
    EXPECT_NEAR(score["p"].get<double>(), ranked["moves"][1]["p"].get<double>(), 1e-4);
    const TestJson embedded = call("embed", {{"fens", {fen, fen}}});
    ASSERT_EQ(embedded["embeddings"].size(), 2u);
    double length = 0;
    for (const TestJson& x : embedded["embeddings"][1]) length += std::pow(x.get<double>(), 2);
    EXPECT_NEAR(length, 1, 1e-4);
    EXPECT_EQ(embedded["embeddings"][0].size(), embedded["dims"]);
}

TEST_F(ApiTest, ExplainWeighsEveryPieceButTheKings) {
    const TestJson why = call("explain", {{"fen", "4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1"}});
    EXPECT_EQ(why["pieces"].size(), 9u);
    EXPECT_GT(why["p"], 0.8);
    for (const TestJson& piece : why["pieces"]) {
        if (piece["square"] != "d1") continue;
        EXPECT_GT(piece["adds"], 0.1) << why;
    }
}

TEST_F(ApiTest, TraceFollowsAGame) {
    (void)ready_map();
    const TestJson trace = call("trace", {{"moves", {"e4", "e5", "Qh5", "Ke7", "Qxe5#"}}});
    ASSERT_EQ(trace["plies"].size(), 6u);
    EXPECT_EQ(trace["plies"][5]["p"], 1.0);
    EXPECT_EQ(trace["plies"][0]["umap"].size(), 2u);
    EXPECT_GT(trace["plies"][4]["p"], trace["plies"][0]["p"]) << "4...Ke7 loses";
    EXPECT_FALSE(trace["turning_points"].empty());
}

TEST_F(ApiTest, TheMapHasPointsGamesAndNeighbours) {
    const TestJson map = ready_map();
    const std::size_t count = map["count"];
    EXPECT_EQ(count, 150u);
    EXPECT_EQ(map["layouts"].size(), 2u);
    const std::string id = map["id"];
    EXPECT_EQ(get(port(), "/api/v1/map/points?layout=umap&id=" + id).body.size(), 8 * count);
    EXPECT_EQ(get(port(), "/api/v1/map/points?layout=axis").body.size(), 8 * count);
    EXPECT_EQ(get(port(), "/api/v1/map/values?id=" + id).body.size(), 4 * count);
    EXPECT_EQ(get(port(), "/api/v1/map/values?id=other").status, 404);
    EXPECT_EQ(get(port(), "/api/v1/map/points?layout=none").status, 422);
    const TestJson points = call("map/detail", {{"ids", {0, 149}}, {"moves", true}})["points"];
    ASSERT_EQ(points.size(), 2u);
    const std::size_t ply = points[1]["ply"];
    // Replaying the game leads to the point.
    TestJson moves = TestJson::array();
    for (std::size_t i = 0; i < ply; ++i) moves.push_back(points[1]["moves"][i]);
    const TestJson replayed = call("position", {{"fen", points[1]["start"]}, {"moves", moves}});
    EXPECT_EQ(replayed["fen"], points[1]["fen"]);
    EXPECT_EQ(refused("map/detail", {{"ids", {150}}})["field"], "ids[0]");
    EXPECT_EQ(refused("map/detail", {{"ids", {-1}}})["field"], "ids[0]");
    // A point of the sample is its own nearest neighbour.
    const TestJson near = call("similar", {{"fen", points[1]["fen"]}, {"count", 3}})["points"];
    ASSERT_EQ(near.size(), 3u);
    EXPECT_EQ(near[0]["id"], 149);
    EXPECT_NEAR(near[0]["similarity"].get<double>(), 1, 1e-3);
    const TestJson placed = call("map/place", {{"moves", {"e4", "e5"}}, {"path", true}})["points"];
    EXPECT_EQ(placed.size(), 3u);
}

TEST_F(ApiTest, BodiesThatAreNoRequestAreRefusedWithAReason) {
    const auto status_of = [this](std::string_view body, std::string_view headers = {}) {
        TestClient client(port());
        client.send(request_text("POST", "/api/v1/position", body, headers));
        return client.reply().status;
    };
    for (const char* body :
         {"", "{", "[]", "7", "\"x\"", "{\"fen\":}", "nul", "{}{}", "\xff\xfe"}) {
        EXPECT_EQ(status_of(body), 400) << body;
    }
    EXPECT_EQ(status_of(std::string(100'000, '[')), 400);
    std::string deep = "{\"fen\":";
    for (int i = 0; i < 40; ++i) deep += "[";
    for (int i = 0; i < 40; ++i) deep += "]";
    EXPECT_EQ(status_of(deep + "}"), 400);
    EXPECT_EQ(status_of("{\"fen\":null}"), 200);
    TestClient form(port());
    form.send(
        "POST /api/v1/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
        "Content-Length: 2\r\n\r\n{}");
    EXPECT_EQ(form.reply().status, 415);
    EXPECT_EQ(get(port(), "/api/v1/position").status, 405);
    EXPECT_EQ(get(port(), "/api/v1/nothing").status, 404);
}

}  // namespace
}  // namespace solis::studio
