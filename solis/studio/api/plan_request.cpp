// Reading what a plan shall be.
#include <algorithm>

#include <fmt/format.h>

#include "solis/studio/api/plan.h"

namespace solis::studio {
namespace {

using planner::Limits;
using planner::Milliseconds;
using planner::PlanKind;
using planner::Settings;

constexpr std::int64_t kLongestClock = 1'000'000'000;
constexpr std::int64_t kMostNodes = 1'000'000'000'000;

std::optional<Milliseconds> read_milliseconds(Fields& fields, std::string_view name) {
    const auto value = fields.whole(name, 0, kLongestClock);
    return value ? std::optional(Milliseconds(*value)) : std::nullopt;
}

planner::ClockTime read_clock(Fields& fields) {
    planner::ClockTime clock;
    clock.white = read_milliseconds(fields, "white").value_or(Milliseconds(0));
    clock.black = read_milliseconds(fields, "black").value_or(Milliseconds(0));
    clock.white_increment = read_milliseconds(fields, "white_increment").value_or(Milliseconds(0));
    clock.black_increment = read_milliseconds(fields, "black_increment").value_or(Milliseconds(0));
    clock.moves_to_go = static_cast<int>(fields.whole("moves_to_go", 0, 1000).value_or(0));
    return clock;
}

std::vector<chess::Move> read_search_moves(Fields& fields, const chess::Position& root) {
    std::vector<chess::Move> moves;
    for (const std::string& text : fields.texts("search_moves", 256, 16)) {
        const auto move = read_api_move(root, text, fields.path_of("search_moves"));
        if (!move) {
            fields.refuse(move.error());
            return {};
        }
        moves.push_back(*move);
    }
    return moves;
}

// No plan goes on for ever, whatever its request forgot to say.
void bound_time(PlanRequest& request, const PlanBounds& bounds) {
    const Milliseconds longest =
        request.settings.kind == PlanKind::Deep ? bounds.longest : bounds.longest_undivided;
    Limits& limits = request.limits;
    limits.infinite = false;
    if (limits.clock) return;
    limits.movetime = std::min(limits.movetime.value_or(longest), longest);
}

}  // namespace

const StudioModel* read_api_model(Fields& fields, const ModelShelf& models) {
    const std::string id = fields.text("model", "");
    const StudioModel* model = models.find(id);
    if (model == nullptr) {
        fields.refuse({422, "there is no model of that name", "GET /api/v1/status lists them",
                       fields.path_of("model")});
        return models.find("");
    }
    return model;
}

Settings read_api_settings(Fields& fields, const PlanBounds& bounds) {
    Settings settings;
    const std::string plan = fields.text("plan", "deep");
    if (const auto kind = planner::plan_kind_from(plan)) {
        settings.kind = *kind;
    } else {
        fields.refuse(
            {422, "there is no plan of that name", "deep, paper or puct", fields.path_of("plan")});
    }
    if (fields.flag("anchored", false)) settings.scoring = planner::Scoring::Anchored;
    settings.width =
        static_cast<int>(fields.whole("width", 1, Settings::kMaxWidth).value_or(settings.width));
    settings.prune_paper = fields.flag("prune", true);
    settings.multipv = static_cast<int>(fields.whole("multipv", 1, bounds.multipv).value_or(1));
    settings.threads = static_cast<int>(fields.whole("threads", 1, bounds.threads).value_or(1));
    settings.hash_megabytes = bounds.hash_megabytes;
    if (const auto elo = fields.whole("elo", Settings::kMinElo, Settings::kMaxElo)) {
        settings.elo = static_cast<int>(*elo);
    }
    return settings;
}

Limits read_api_limits(Fields& fields, const Limits& fallback) {
    const Json* object = fields.object("limits");
    if (object == nullptr) return fallback;
    Fields inner(*object, fields.path_of("limits"));
    Limits limits;
    limits.movetime = read_milliseconds(inner, "movetime");
    if (const auto depth = inner.whole("depth", 1, 200)) limits.depth = static_cast<int>(*depth);
    if (const auto nodes = inner.whole("nodes", 1, kMostNodes)) {
        limits.nodes = static_cast<std::uint64_t>(*nodes);
    }
    if (const auto embeddings = inner.whole("embeddings", 1, kMostNodes)) {
        limits.embeddings = static_cast<std::uint64_t>(*embeddings);
    }
    if (const auto mate = inner.whole("mate", 1, 100)) limits.mate = static_cast<int>(*mate);
    if (const Json* clock = inner.object("clock")) {
        Fields clock_fields(*clock, inner.path_of("clock"));
        limits.clock = read_clock(clock_fields);
        if (const auto error = clock_fields.finish()) fields.refuse(*error);
    }
    limits.infinite = inner.flag("infinite", false);
    if (const auto error = inner.finish()) fields.refuse(*error);
    return limits;
}

Answer<PlanRequest> read_plan_request(const Json& body, const ModelShelf& models,
                                      const PlanBounds& bounds) {
    Fields fields(body);
    PlanRequest request{read_api_game(fields)};
    request.model = read_api_model(fields, models);
    request.settings = read_api_settings(fields, bounds);
    Limits usual;
    if (request.settings.kind != PlanKind::Paper) usual.movetime = Milliseconds(1000);
    request.limits = read_api_limits(fields, usual);
    request.limits.search_moves = read_search_moves(fields, request.game.game.position());
    request.tree = fields.flag("tree", false);
    request.session = fields.text("session", "", 64);
    if (request.settings.kind == PlanKind::Paper && request.limits.depth) {
        request.limits.depth = std::min(*request.limits.depth, Settings::kMaxPlies);
    }
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    bound_time(request, bounds);
    return request;
}

bool is_divisible(const PlanRequest& request) {
    return request.settings.kind == PlanKind::Deep && !request.limits.clock &&
           !request.settings.elo;
}

}  // namespace solis::studio
