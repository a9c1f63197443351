// What a plan has to tell, until its client reads it. Bounded: what is newer replaces what was not
// read yet, so that a plan never waits for a slow client.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solis/planner/plan.h"

namespace solis::studio {

struct CurrentMove {
    int depth = 0;
    chess::Move move{};
    int number = 0;
};

// Everything that happened since the last look.
struct News {
    std::vector<std::pair<std::string, std::string>> events{};  // name and JSON, in order
    std::vector<planner::Info> infos{};                         // by rank; all that are known
    std::optional<CurrentMove> current{};
    std::vector<planner::BeamNode> nodes{};
    std::vector<planner::BeamValue> values{};
    bool tree_truncated = false;  // since this look
    bool finished = false;
};

class Feed {
  public:
    static constexpr std::uint32_t kMostNodes = 20'000;

    // --- for the thread that thinks
    void put_info(const planner::Info& info);
    void put_current(const CurrentMove& current);
    void put_node(const planner::BeamNode& node);
    void put_value(const planner::BeamValue& value);
    // An event that is ready. `replaces`: an unread one of the same name is forgotten.
    void put_event(std::string name, std::string json, bool replaces = false);
    // Lines of an earlier turn no longer count.
    void restart_infos();
    // Nothing comes after it.
    void finish();

    // --- for the thread that writes
    // Waits until there is something, at most so long.
    [[nodiscard]] News wait(std::chrono::milliseconds most);

  private:
    [[nodiscard]] bool has_news() const;

    std::mutex mutex_;
    std::condition_variable changed_;
    News news_;
    std::vector<planner::Info> infos_;
    bool new_infos_ = false;
    std::map<std::uint32_t, planner::BeamValue> values_;
    bool truncated_ = false;
};

}  // namespace solis::studio
