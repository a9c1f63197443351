// Tests of plans and reviews as streams, and of the queue in front of them.
#include <set>
#include <thread>

#include "solis/studio/think/queue.h"
#include "tests/studio/studio_test.h"

namespace solis::studio {
namespace {

using std::chrono::milliseconds;

class ThinkTest : public StudioTest {
  protected:
    void SetUp() override { start(); }
};

// Nobody has to give way during a test, however busy the machine is.
class PatientThinkTest : public StudioTest {
  protected:
    void SetUp() override {
        StudioOptions options = small_options();
        options.turn = std::chrono::minutes(10);
        start(options);
    }
};

TEST_F(ThinkTest, APlanTellsItsLinesAndEndsWithAMove) {
    TestClient client = stream("plan", {{"fen", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"},
                                        {"limits", {{"nodes", 20000}}},
                                        {"multipv", 2}});
    EXPECT_EQ(client.event()->name, "accepted");
    const auto info = client.event_named("info");
    ASSERT_TRUE(info);
    EXPECT_GT(info->data["nodes"], 0);
    const auto done = client.event_named("done");
    ASSERT_TRUE(done);
    EXPECT_EQ(done->data["best"]["san"], "Rd8#");
    EXPECT_EQ(done->data["p"], 1.0);
    EXPECT_EQ(done->data["info"]["lines"].size(), 2u);
    EXPECT_EQ(done->data["info"]["lines"][0]["mate"], 1);
    EXPECT_EQ(done->data["reason"], "limit");
    EXPECT_FALSE(client.event()) << "nothing comes after it";
}

TEST_F(ThinkTest, BlacksPlansAreToldFromWhitesSide) {
    TestClient client =
        stream("plan", {{"fen", "k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1"}, {"limits", {{"depth", 3}}}});
    const auto done = client.event_named("done");
    ASSERT_TRUE(done);
    EXPECT_EQ(done->data["best"]["san"], "Rd1#");
    EXPECT_EQ(done->data["p"], 0.0);
    EXPECT_EQ(done->data["info"]["lines"][0]["mate"], -1);
    EXPECT_EQ(done->data["info"]["lines"][0]["wdl"][2], 1.0);
}

TEST_F(ThinkTest, ThePaperPlanTellsItsTree) {
    TestClient client = stream("plan", {{"plan", "paper"},
                                        {"width", 3},
                                        {"limits", {{"depth", 3}}},
                                        {"prune", false},
                                        {"tree", true}});
    std::set<std::uint32_t> ids{0};
    std::size_t values = 0;
    TestJson done, root;
    while (const auto event = client.event()) {
        if (event->name == "done") done = event->data;
        if (event->name != "tree") continue;
        for (const TestJson& node : event->data["nodes"]) {
            EXPECT_TRUE(ids.contains(node["parent"])) << "parents come first";
            EXPECT_TRUE(ids.insert(node["id"].get<std::uint32_t>()).second);
        }
        values += event->data["values"].size();
        for (const TestJson& value : event->data["values"]) {
            if (value["id"] == 0) root = value;
        }
    }
    EXPECT_GT(ids.size(), 30u);
    EXPECT_GE(values, ids.size());
    EXPECT_EQ(root["p"], done["p"]);
    EXPECT_EQ(done["info"]["depth"], 3);
    EXPECT_GT(done["info"]["visited"], 30);
}

TEST_F(ThinkTest, AClientThatReadsNothingKeepsNoThread) {
    // Megabytes of tree, more than the buffers between the two hold.
    TestClient deaf(port());
    const TestJson request{{"plan", "paper"}, {"width", 6},   {"limits", {{"depth", 5}}},
                           {"prune", false},  {"tree", true}, {"session", "deaf"}};
    deaf.send(request_text("POST", "/api/v1/plan", request.dump()));
    TestClient other = stream("plan", {{"limits", {{"nodes", 500}}}});
    EXPECT_TRUE(other.event_named("done"));
    EXPECT_TRUE(nobody_thinks());
}

TEST_F(ThinkTest, PuctAndLimitedStrengthAnswer) {
    for (const TestJson& request :
         {TestJson{{"plan", "puct"}, {"limits", {{"nodes", 3000}}}},
          TestJson{{"elo", 1400}, {"limits", {{"movetime", 500}}}},
          TestJson{{"anchored", true}, {"limits", {{"nodes", 3000}}}},
          TestJson{{"limits", {{"clock", {{"white", 1000}, {"black", 1000}}}}}}}) {
        TestClient client = stream("plan", request);
        const auto done = client.event_named("done");
        ASSERT_TRUE(done) << request;
        EXPECT_TRUE(done->data["best"].is_object()) << request;
    }
}

TEST_F(ThinkTest, RequestsThatMakeNoSenseAreRefusedBeforeTheyWait) {
    EXPECT_EQ(refused("plan", {{"plan", "none"}})["field"], "plan");
    EXPECT_EQ(refused("plan", {{"limits", {{"movetime", -1}}}})["field"], "limits.movetime");
    EXPECT_EQ(refused("plan", {{"limits", {{"clock", {{"x", 1}}}}}})["field"], "limits.clock.x");
    EXPECT_EQ(refused("plan", {{"elo", 99}})["field"], "elo");
    EXPECT_EQ(refused("plan", {{"threads", 2}})["field"], "threads");
    EXPECT_EQ(refused("plan", {{"search_moves", {"e5"}}})["field"], "search_moves");
    TestClient mated = stream("plan", {{"moves", {"f3", "e5", "g4", "Qh4"}}});
    const auto done = mated.event_named("done");
    ASSERT_TRUE(done);
    EXPECT_TRUE(done->data["best"].is_null());
    EXPECT_EQ(done->data["reason"], "finished");
}

TEST_F(ThinkTest, APlanIsStoppedByItsIdAndStillGivesItsMove) {
    TestClient client = stream("plan", {{"limits", {{"infinite", true}}}});
    const auto accepted = client.event_named("accepted");
    ASSERT_TRUE(accepted);
    ASSERT_TRUE(client.event_named("info"));
    EXPECT_EQ(call("plan/stop", {{"id", accepted->data["id"]}})["stopped"], true);
    const auto done = client.event_named("done");
    ASSERT_TRUE(done);
    EXPECT_EQ(done->data["reason"], "stopped");
    EXPECT_TRUE(done->data["best"].is_object());
    // The plan is forgotten a moment after its last event.
    bool forgotten = false;
    for (int i = 0; i < 500 && !forgotten; ++i) {
        forgotten = call("plan/stop", {{"id", accepted->data["id"]}})["stopped"] == false;
        if (!forgotten) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(forgotten);
}

TEST_F(ThinkTest, AClientThatGoesAwayStopsItsPlan) {
    TestClient client = stream("plan", {{"limits", {{"infinite", true}}}});
    ASSERT_TRUE(client.event_named("started"));
    EXPECT_EQ(status()["plans_running"], 1);
    client.close();
    EXPECT_TRUE(nobody_thinks());
}

TEST_F(PatientThinkTest, OthersWaitTheirTurnAndAreToldTheirPlace) {
    TestClient first = stream("plan", {{"limits", {{"infinite", true}}}});
    const auto id = first.event_named("accepted")->data["id"];
    ASSERT_TRUE(first.event_named("started"));
    TestClient second = stream("plan", {{"limits", {{"nodes", 100}}}});
    EXPECT_EQ(second.event_named("queued")->data["position"], 1);
    TestClient third = stream("plan", {{"limits", {{"nodes", 100}}}});
    EXPECT_EQ(third.event_named("queued")->data["position"], 2);
    (void)call("plan/stop", {{"id", id}});
    EXPECT_TRUE(second.event_named("done"));
    EXPECT_TRUE(third.event_named("done"));
    EXPECT_EQ(first.event_named("done")->data["reason"], "stopped");
}

TEST_F(ThinkTest, ALongPlanGivesWayAndGoesOn) {
    TestClient longest = stream("plan", {{"limits", {{"movetime", 1500}}}});
    ASSERT_TRUE(longest.event_named("started"));
    TestClient other = stream("plan", {{"limits", {{"movetime", 50}}}});
    const auto answered = other.event_named("done");
    ASSERT_TRUE(answered) << "the other one is not kept waiting for ever";
    const auto queued = longest.event_named("queued");
    ASSERT_TRUE(queued);
    const auto done = longest.event_named("done");
    ASSERT_TRUE(done);
    EXPECT_EQ(done->data["reason"], "limit");
    EXPECT_GE(done->data["info"]["time"], 1400) << "time goes on where it stood";
}

TEST_F(ThinkTest, ANewPlanOfASessionReplacesTheOneBefore) {
    TestClient first = stream("plan", {{"limits", {{"infinite", true}}}, {"session", "a"}});
    ASSERT_TRUE(first.event_named("started"));
    TestClient second = stream("plan", {{"limits", {{"nodes", 500}}}, {"session", "a"}});
    EXPECT_EQ(first.event_named("done")->data["reason"], "replaced");
    EXPECT_EQ(second.event_named("done")->data["reason"], "limit");
}

TEST_F(ThinkTest, AStoppedStudioEndsItsStreams) {
    TestClient client = stream("plan", {{"limits", {{"infinite", true}}}});
    ASSERT_TRUE(client.event_named("started"));
    studio_->stop();
    EXPECT_EQ(client.event_named("done")->data["reason"], "shutdown");
}

TEST_F(ThinkTest, AReviewFindsTheBlunderAndCanBeKept) {
    const TestJson moves{"e4", "e5", "Qh5", "Ke7", "Qxe5#"};
    TestClient client = stream("review", {{"moves", moves},
                                          {"limits", {{"nodes", 3000}}},
                                          {"tags", {{"White", "A <b>"}, {"Result", "1-0"}}}});
    std::size_t plies = 0;
    TestJson done;
    while (const auto event = client.event()) {
        if (event->name == "done") done = event->data;
        if (event->name != "ply") continue;
        EXPECT_EQ(event->data["ply"], ++plies);
    }
    EXPECT_EQ(plies, 5u);
    EXPECT_EQ(done["reason"], "finished");
    ASSERT_FALSE(done["moments"].empty()) << done;
    EXPECT_EQ(done["moments"].back()["san"], "Ke7");
    EXPECT_LT(done["accuracy"]["black"], done["accuracy"]["white"]);
    const std::string report = "/api/v1/report/" + done["id"].get<std::string>();
    const Reply html = get(port(), report + ".html");
    EXPECT_EQ(html.status, 200);
    EXPECT_NE(html.body.find("A &lt;b&gt;"), std::string::npos);
    EXPECT_EQ(html.body.find("<script"), std::string::npos);
    EXPECT_NE(html.headers.at("Content-Security-Policy").find("sandbox"), std::string::npos);
    EXPECT_TRUE(get(port(), report + ".svg?theme=dark").body.starts_with("<svg"));
    const std::string pgn = get(port(), report + ".pgn").body;
    EXPECT_NE(pgn.find("[White \"A <b>\"]"), std::string::npos) << pgn;
    EXPECT_NE(pgn.find("$4"), std::string::npos) << pgn;
    EXPECT_EQ(get(port(), report + ".json").json()["id"], done["id"]);
    EXPECT_EQ(get(port(), report + ".exe").status, 404);
    EXPECT_EQ(get(port(), "/api/v1/report/none.html").status, 404);
    EXPECT_EQ(refused("review", TestJson::object())["message"], "the game has no moves");
}

// Enters, counts who else is inside, and leaves.
class CountingThinker final : public Thinker {
  public:
    void on_place(std::size_t place) override { last_place = place; }
    [[nodiscard]] bool is_cancelled() const override { return cancelled; }
    void give_way() override { asked = true; }

    std::atomic<std::size_t> last_place{0};
    std::atomic<bool> cancelled{false};
    std::atomic<bool> asked{false};
};

TEST(ThinkingQueue, NeverGrantsMoreThreadsThanItHas) {
    ThinkingQueue queue(3, 100, milliseconds(1));
    std::atomic<int> inside{0}, most{0};
    std::vector<std::jthread> threads;
    for (int i = 0; i < 12; ++i) {
        threads.emplace_back([&, i] {
            CountingThinker thinker;
            const int wanted = 1 + i % 3;
            for (int round = 0; round < 20; ++round) {
                if (!queue.enter(thinker, static_cast<std::size_t>(wanted))) return;
                const int now = inside += wanted;
                for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
                }
                std::this_thread::sleep_for(std::chrono::microseconds(100));
                inside -= wanted;
                queue.leave(thinker);
            }
        });
    }
    threads.clear();
    EXPECT_EQ(most, 3);
    EXPECT_EQ(queue.running(), 0u);
    EXPECT_EQ(queue.waiting(), 0u);
}

TEST(ThinkingQueue, AsksWhoHasRunLongestAndForgetsTheCancelled) {
    ThinkingQueue queue(1, 100, milliseconds(10));
    CountingThinker first, second, third;
    ASSERT_TRUE(queue.enter(first, 1));
    std::jthread waits([&] {
        if (queue.enter(second, 1)) queue.leave(second);
    });
    std::jthread gives_up([&] { EXPECT_FALSE(queue.enter(third, 1)); });
    third.cancelled = true;
    gives_up.join();
    // The second is told its place in a thread of its own, after the third has left or before.
    const auto settled = [&] { return first.asked && second.last_place == 1; };
    for (int i = 0; i < 500 && !settled(); ++i) std::this_thread::sleep_for(milliseconds(10));
    EXPECT_TRUE(first.asked);
    EXPECT_EQ(second.last_place, 1u);
    queue.leave(first);
    waits.join();
    EXPECT_EQ(queue.running(), 0u);
}

}  // namespace
}  // namespace solis::studio
