// The studio: a server that plays, plans and explains, for the page in it and for scripts
// (docs/api.md).
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/studio/guard.h"
#include "solis/studio/http/server.h"
#include "solis/studio/map/room.h"
#include "solis/studio/models.h"

namespace solis::studio {

struct StudioOptions {
    std::string version{};
    std::vector<ModelSource> models{{"default", ""}};  // the first is the default
    std::vector<ModelSource> found{};                  // left out where they cannot be opened
    std::vector<std::string> match_logs{};
    std::vector<std::string> run_folders{};
    std::size_t threads = 0;  // for thinking, in all; 0: one per core
    std::size_t plans_waiting = 256;
    std::chrono::milliseconds turn{3000};  // before a plan gives way to others
    std::size_t sessions = 16;             // whose memory is kept, of 16 MB each
    MapOptions map{};
    GuardOptions guard{};
};

class Studio {
  public:
    [[nodiscard]] static Result<std::unique_ptr<Studio>> open(const StudioOptions& options);
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;
    ~Studio();

    // Answers a request. From any number of threads.
    [[nodiscard]] HttpResponse answer(const HttpRequest& request);
    // Ends everything that thinks, so that streams come to their end.
    void stop();

  private:
    struct Parts;
    explicit Studio(std::unique_ptr<Parts> parts);

    std::unique_ptr<Parts> parts_;
};

}  // namespace solis::studio
