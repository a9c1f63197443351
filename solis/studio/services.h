// What the calls of the API work with.
#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <vector>

#include "solis/analysis/review/review.h"
#include "solis/studio/api/plan.h"
#include "solis/studio/map/room.h"
#include "solis/studio/models.h"
#include "solis/studio/think/job.h"
#include "solis/studio/think/queue.h"
#include "solis/studio/think/sessions.h"
#include "solis/studio/watch/watch.h"

namespace solis::studio {

// A review that can be asked for as a document.
struct KeptReview {
    std::string id;
    analysis::GameReview review;
    std::string model;
    std::string json;  // what the stream's last event said
};

// The reviews made last.
class ReviewShelf {
  public:
    explicit ReviewShelf(std::size_t most) : most_(most) {}

    void keep(std::shared_ptr<const KeptReview> review);
    [[nodiscard]] std::shared_ptr<const KeptReview> find(std::string_view id) const;

  private:
    const std::size_t most_;
    mutable std::mutex mutex_;
    std::list<std::shared_ptr<const KeptReview>> reviews_;  // newest first
};

struct Services {
    std::string version;
    std::string instance;  // another one after each start
    ModelShelf models;
    PlanBounds bounds;
    std::vector<Watched> watched;
    ThinkingQueue queue;
    JobList jobs{};
    SessionShelf sessions;
    ReviewShelf reviews;
    MapRoom maps;
    std::counting_semaphore<> desks;  // of those who compute without thinking

    static constexpr std::size_t kMostFens = 4096;
    static constexpr std::size_t kMostPlaced = 1024;
    static constexpr std::size_t kMostDetails = 500;
};

// --- the calls, by their paths below /api/v1/
[[nodiscard]] Answer<Json> call_status(Services& services);
[[nodiscard]] Answer<Json> call_position(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_chess960(const HttpRequest& request);
[[nodiscard]] Answer<Json> call_pgn(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_score(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_embed(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_rank(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_explain(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_trace(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_map(Services& services, const HttpRequest& request);
[[nodiscard]] Answer<HttpResponse> call_map_points(Services& services, const HttpRequest& request);
[[nodiscard]] Answer<HttpResponse> call_map_values(Services& services, const HttpRequest& request);
[[nodiscard]] Answer<Json> call_map_detail(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_map_place(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_similar(Services& services, const Json& body);
[[nodiscard]] Answer<HttpResponse> call_plan(Services& services, const Json& body);
[[nodiscard]] Answer<Json> call_plan_stop(Services& services, const Json& body);
[[nodiscard]] Answer<HttpResponse> call_review(Services& services, const Json& body);
// `file` is "ID.html", "ID.svg", "ID.pgn" or "ID.json".
[[nodiscard]] Answer<HttpResponse> call_report(Services& services, const HttpRequest& request,
                                               std::string_view file);
[[nodiscard]] Answer<Json> call_watch_list(Services& services);
[[nodiscard]] Answer<HttpResponse> call_watch(Services& services, const HttpRequest& request,
                                              std::string_view id);

// The model that a parameter of the address names.
[[nodiscard]] Answer<const StudioModel*> model_parameter(Services& services,
                                                         const HttpRequest& request);
// Where embeddings lie: adds "axis" and "umap" to a JSON object; null without a map.
void add_places(Json& json, const StudioMap* map, std::span<const float> z);

}  // namespace solis::studio
