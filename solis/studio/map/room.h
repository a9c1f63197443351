// The maps of all models, made in the background when somebody asks for them.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "solis/studio/map/studio_map.h"

namespace solis::studio {

struct MapOptions {
    std::string file{};   // a saved map instead of a new one, for the model that made it
    std::string games{};  // what the sample is taken from; empty: generated games
    std::size_t count = 20'000;
    std::size_t preview = 1000;
    std::string cache{};  // folder for finished maps; empty: none is kept
    std::size_t threads = 1;
};

struct MapState {
    StudioMapPtr map{};  // the newest; null where there is none yet
    bool computing = false;
    std::string stage{};
    double share = 0;
    std::string error{};  // of the last attempt
};

class MapRoom {
  public:
    // The models must outlive it.
    MapRoom(MapOptions options, const ModelShelf& models);
    MapRoom(const MapRoom&) = delete;
    MapRoom& operator=(const MapRoom&) = delete;
    // Ends what is being computed.
    ~MapRoom();

    // Begins to make the map of a model that has none.
    [[nodiscard]] MapState state(const StudioModel& model);

  private:
    void work();
    void make(const StudioModel& model);
    [[nodiscard]] Result<void> compute(const StudioModel& model, ThreadPool& pool);
    [[nodiscard]] std::string cache_path(const StudioModel& model) const;
    void publish(const StudioModel& model, StudioMapPtr map);
    [[nodiscard]] analysis::Listener listener(const StudioModel& model);

    const MapOptions options_;
    const ModelShelf& models_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::map<std::string, MapState> states_;
    std::deque<const StudioModel*> wanted_;
    std::atomic<bool> stopping_{false};
    std::thread worker_;
};

// Where this user's programs keep what they can make again; empty where nobody says.
[[nodiscard]] std::string user_cache_folder();

}  // namespace solis::studio
