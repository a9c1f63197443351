// From a request to the call that answers it.
#include "solis/studio/studio.h"

#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>

#include "solis/base/system_seed.h"
#include "solis/studio/page.h"
#include "solis/studio/services.h"

namespace solis::studio {
namespace {

constexpr std::string_view kApi = "/api/v1/";

using PostCall = Answer<Json> (*)(Services&, const Json&);
using StreamCall = Answer<HttpResponse> (*)(Services&, const Json&);

constexpr std::array<std::pair<std::string_view, PostCall>, 11> kPostCalls{
    {{"position", call_position},
     {"pgn", call_pgn},
     {"score", call_score},
     {"embed", call_embed},
     {"rank", call_rank},
     {"explain", call_explain},
     {"trace", call_trace},
     {"similar", call_similar},
     {"map/detail", call_map_detail},
     {"map/place", call_map_place},
     {"plan/stop", call_plan_stop}}};

constexpr std::array<std::pair<std::string_view, StreamCall>, 2> kStreamCalls{
    {{"plan", call_plan}, {"review", call_review}}};

// The right to compute an answer, which a few requests have at a time: the others would only make
// each other slower.
class Desk {
  public:
    explicit Desk(std::counting_semaphore<>& desks)
        : desks_(desks), taken_(desks.try_acquire_for(kPatience)) {}
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;
    ~Desk() {
        if (taken_) desks_.release();
    }

    explicit operator bool() const { return taken_; }

  private:
    static constexpr std::chrono::seconds kPatience{20};

    std::counting_semaphore<>& desks_;
    bool taken_;
};

HttpResponse response_of(Answer<Json> answer) {
    return answer ? json_response(*answer) : error_response(answer.error());
}
HttpResponse response_of(Answer<HttpResponse> answer) {
    return answer ? std::move(*answer) : error_response(answer.error());
}

template <class Calls>
auto find_call(const Calls& calls, std::string_view name) {
    return std::find_if(calls.begin(), calls.end(),
                        [&](const auto& call) { return call.first == name; });
}

std::optional<HttpResponse> answer_post(Services& services, const HttpRequest& request,
                                        std::string_view name) {
    const auto post = find_call(kPostCalls, name);
    const auto stream = find_call(kStreamCalls, name);
    if (post == kPostCalls.end() && stream == kStreamCalls.end()) return std::nullopt;
    if (request.method != "POST") return error_response({405, "this call is made with POST"});
    // A form of another site cannot send JSON without asking first, and is never allowed to.
    const std::string_view type = request.header("content-type").value_or("");
    if (type.substr(0, type.find(';')) != "application/json") {
        return error_response({415, "the body must be JSON", "Content-Type: application/json"});
    }
    const auto body = parse_api_body(request.body);
    if (!body) return error_response(body.error());
    if (post == kPostCalls.end()) return response_of(stream->second(services, *body));
    const Desk desk(services.desks);
    if (!desk) return error_response({503, "too many requests compute", "ask again in a second"});
    return response_of(post->second(services, *body));
}

std::optional<HttpResponse> answer_get(Services& services, const HttpRequest& request,
                                       std::string_view name) {
    constexpr std::string_view kReport = "report/", kWatch = "watch/";
    if (name == "status") return response_of(call_status(services));
    if (name == "chess960") return response_of(call_chess960(request));
    if (name == "map") return response_of(call_map(services, request));
    if (name == "map/points") return response_of(call_map_points(services, request));
    if (name == "map/values") return response_of(call_map_values(services, request));
    if (name == "watch") return response_of(call_watch_list(services));
    if (name.starts_with(kReport)) {
        return response_of(call_report(services, request, name.substr(kReport.size())));
    }
    if (name.starts_with(kWatch)) {
        return response_of(call_watch(services, request, name.substr(kWatch.size())));
    }
    return std::nullopt;
}

HttpResponse answer_call(Services& services, const HttpRequest& request, std::string_view name) {
    if (auto response = answer_post(services, request, name)) return std::move(*response);
    const bool is_get = request.method == "GET" || request.method == "HEAD";
    if (!is_get) return error_response({405, "there is no such call with this method"});
    if (auto response = answer_get(services, request, name)) return std::move(*response);
    return error_response({404, "there is no such call", "docs/api.md lists them"});
}

// What every answer says, unless its call has said it.
void add_safety(HttpResponse& response) {
    const auto add = [&response](const char* name, const char* value) {
        const bool known = std::any_of(response.headers.begin(), response.headers.end(),
                                       [&](const auto& header) { return header.first == name; });
        if (!known) response.headers.emplace_back(name, value);
    };
    add("X-Content-Type-Options", "nosniff");
    add("Referrer-Policy", "no-referrer");
    add("Cross-Origin-Resource-Policy", "same-origin");
    add("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    add("Cache-Control", "no-store");
}

std::size_t thinking_threads(std::size_t wanted) {
    return wanted > 0 ? wanted : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

PlanBounds bounds_for(std::size_t threads) {
    PlanBounds bounds;
    bounds.threads = static_cast<int>(
        std::min<std::size_t>(threads, static_cast<std::size_t>(planner::Settings::kMaxThreads)));
    return bounds;
}

}  // namespace

struct Studio::Parts {
    Services services;
    Guard guard;

    Parts(ModelShelf models, const StudioOptions& options)
        : services{options.version,
                   fmt::format("{:016x}", system_seed().value),
                   std::move(models),
                   bounds_for(thinking_threads(options.threads)),
                   watch_list(options.match_logs, options.run_folders),
                   {thinking_threads(options.threads), options.plans_waiting, options.turn},
                   {},
                   SessionShelf(options.sessions),
                   ReviewShelf(32),
                   {options.map, services.models},
                   std::counting_semaphore<>(
                       static_cast<std::ptrdiff_t>(thinking_threads(options.threads)) + 1)},
          guard(options.guard) {}
};

Result<std::unique_ptr<Studio>> Studio::open(const StudioOptions& options) {
    auto models = ModelShelf::open(options.models, options.found);
    if (!models) return tl::unexpected(models.error());
    return std::unique_ptr<Studio>(
        new Studio(std::make_unique<Parts>(std::move(*models), options)));
}

Studio::Studio(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {
    // The map of the default model is wanted by everybody: it begins before anybody asks.
    (void)parts_->services.maps.state(*parts_->services.models.find(""));
}

Studio::~Studio() { stop(); }

HttpResponse Studio::answer(const HttpRequest& request) {
    HttpResponse response;
    if (auto refused = parts_->guard.stop_at_the_door(request)) {
        response = std::move(*refused);
    } else if (request.path.starts_with(kApi)) {
        response = answer_call(parts_->services, request, request.path.substr(kApi.size()));
    } else if (request.method != "GET" && request.method != "HEAD") {
        response = error_response({405, "only the API takes anything but GET"});
    } else {
        response = page_response(request);
    }
    add_safety(response);
    return response;
}

void Studio::stop() { parts_->services.jobs.stop_all(StopReason::Shutdown); }

}  // namespace solis::studio
