// Calls about the map and its points.
#include <algorithm>

#include <fmt/format.h>

#include "solis/chess/game_result.h"
#include "solis/chess/san.h"
#include "solis/studio/services.h"

namespace solis::studio {
namespace {

Json place_json(const std::optional<atlas::Place>& place) {
    return place ? Json{place->x, place->y} : Json();
}

Json layout_json(const Layout& layout) {
    return {{"id", layout.id},
            {"bounds", layout.bounds},
            {"white", place_json(layout.white)},
            {"black", place_json(layout.black)}};
}

// One point of the map, with the game it comes from.
Json point_json(const StudioMap& map, std::size_t id, bool with_moves) {
    Json json{{"id", id},
              {"fen", nullptr},
              {"p", rounded(map.values[id])},
              {"source", map.source},
              {"game", nullptr},
              {"result", nullptr},
              {"ply", nullptr},
              {"move", nullptr}};
    for (const Layout& layout : map.layouts) {
        const atlas::Place& place = layout.map->data().places[id];
        json[layout.id] = {place.x, place.y};
    }
    if (map.sample.rows.empty()) return json;
    const analysis::PlayedPosition& row = map.sample.rows[id];
    const auto& game = map.sample.games[row.game];
    const chess::Position position = map.sample.position(id);
    const chess::Move played = map.sample.played(id);
    json["fen"] = chess::to_fen(position);
    json["game"] = game.name.empty() ? fmt::format("game {}", row.game + 1) : game.name;
    json["result"] = chess::to_string(static_cast<chess::GameResult>(game.result));
    json["ply"] = row.ply;
    if (!played.is_none()) json["move"] = chess::to_san(position, played);
    if (!with_moves) return json;
    Json moves = Json::array();
    const auto start = chess::parse_fen(game.fen);
    chess::Position at = start ? *start : chess::Position::start();
    for (const std::uint16_t bits : game.moves) {
        const chess::Move move = chess::Move::from_bits(bits);
        moves.push_back(chess::to_uci(at, move));
        at = at.after(move);
    }
    json["start"] = game.fen;
    json["moves"] = std::move(moves);
    return json;
}

tl::unexpected<ApiError> no_map_yet() {
    return refuse(404, "there is no map yet", "GET /api/v1/map tells how far it is");
}

// The map that a request names by model and, where it does, by id.
Answer<StudioMapPtr> wanted_map(Services& services, const HttpRequest& request) {
    const auto model = model_parameter(services, request);
    if (!model) return tl::unexpected<ApiError>(model.error());
    StudioMapPtr map = services.maps.state(**model).map;
    if (!map) return no_map_yet();
    const auto id = request.parameter("id");
    if (id && *id != map->id) return refuse(404, "that map has been replaced by another", {}, "id");
    return map;
}

HttpResponse binary_response(std::shared_ptr<const std::string> bytes, const HttpRequest& request) {
    HttpResponse response;
    response.type = "application/octet-stream";
    response.shared_body = std::move(bytes);
    // What has the id of its map in its address never changes.
    const bool fixed = request.parameter("id").has_value();
    response.headers = {
        {"Cache-Control", fixed ? "private, max-age=31536000, immutable" : "no-store"}};
    return response;
}

}  // namespace

Answer<const StudioModel*> model_parameter(Services& services, const HttpRequest& request) {
    const StudioModel* model = services.models.find(request.parameter("model").value_or(""));
    if (model == nullptr) {
        return refuse(422, "there is no model of that name", "GET /api/v1/status lists them",
                      "model");
    }
    return model;
}

Answer<Json> call_map(Services& services, const HttpRequest& request) {
    const auto model = model_parameter(services, request);
    if (!model) return tl::unexpected<ApiError>(model.error());
    const MapState state = services.maps.state(**model);
    const char* word = state.computing ? "computing" : state.map ? "ready" : "failed";
    Json layouts = Json::array();
    if (state.map) {
        for (const Layout& layout : state.map->layouts) layouts.push_back(layout_json(layout));
    }
    Json json{{"state", word},
              {"id", state.map ? Json(state.map->id) : Json()},
              {"count", state.map ? state.map->count() : 0},
              {"source", state.map ? state.map->source : ""},
              {"preview", state.map && state.map->preview},
              {"stage", state.stage},
              {"share", state.share},
              {"layouts", std::move(layouts)}};
    if (!state.error.empty()) json["error"] = {{"message", state.error}};
    return json;
}

Answer<HttpResponse> call_map_points(Services& services, const HttpRequest& request) {
    const auto map = wanted_map(services, request);
    if (!map) return tl::unexpected<ApiError>(map.error());
    const Layout* layout = (*map)->layout(request.parameter("layout").value_or("umap"));
    if (layout == nullptr) return refuse(422, "there is no such layout", "axis or umap", "layout");
    return binary_response(layout->bytes, request);
}

Answer<HttpResponse> call_map_values(Services& services, const HttpRequest& request) {
    const auto map = wanted_map(services, request);
    if (!map) return tl::unexpected<ApiError>(map.error());
    return binary_response((*map)->value_bytes, request);
}

Answer<Json> call_map_detail(Services& services, const Json& body) {
    Fields fields(body);
    const StudioModel* model = read_api_model(fields, services.models);
    const auto ids = fields.wholes("ids", Services::kMostDetails, 0, INT32_MAX);
    const bool moves = fields.flag("moves", false);
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    const StudioMapPtr map = services.maps.state(*model).map;
    if (!map) return no_map_yet();
    Json points = Json::array();
    for (const std::int64_t id : ids) {
        if (static_cast<std::size_t>(id) >= map->count()) {
            return refuse(422, fmt::format("the map has {} points", map->count()), {},
                          fmt::format("ids[{}]", points.size()));
        }
        points.push_back(point_json(*map, static_cast<std::size_t>(id), moves));
    }
    return Json{{"points", std::move(points)}};
}

Answer<Json> call_similar(Services& services, const Json& body) {
    Fields fields(body);
    const StudioModel* model = read_api_model(fields, services.models);
    const ApiGame game = read_api_game(fields);
    const auto count = static_cast<std::size_t>(fields.whole("count", 1, 100).value_or(12));
    const bool moves = fields.flag("with_moves", false);
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    const StudioMapPtr map = services.maps.state(*model).map;
    if (!map) return no_map_yet();
    ThreadPool pool(1);
    const chess::Position& position = game.game.position();
    const std::vector<float> z = model->space.embed({&position, 1}, pool);
    Json points = Json::array();
    for (const auto& hit : map->nearest(z, count)) {
        Json point = point_json(*map, hit.index, moves);
        // The index's distance is 1 - cosine.
        point["similarity"] = rounded(1 - static_cast<double>(hit.distance));
        points.push_back(std::move(point));
    }
    return Json{{"points", std::move(points)}};
}

}  // namespace solis::studio
