// Waiting for a studio.
#include "tests/studio/studio_test.h"

#include <thread>

namespace solis::studio {

TestJson StudioTest::ready_map() const {
    TestJson map;
    for (int i = 0; i < 2400; ++i) {
        map = get(port(), "/api/v1/map").json();
        if (map["state"] != "computing") break;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_EQ(map["state"], "ready") << map;
    return map;
}

bool StudioTest::nobody_thinks() const {
    for (int i = 0; i < 200; ++i) {
        const TestJson now = status();
        if (now["plans_running"] == 0 && now["plans_waiting"] == 0) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

}  // namespace solis::studio
