// Calls that look at positions through a model.
#include <algorithm>
#include <cmath>

#include "solis/analysis/explain/explanation.h"
#include "solis/analysis/space/trace.h"
#include "solis/chess/san.h"
#include "solis/model/scorer.h"
#include "solis/studio/services.h"

namespace solis::studio {
namespace {

// Work of a request is done by the thread that answers it: others do theirs at the same time.
ThreadPool own_thread() { return ThreadPool(1); }

Json opt_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// White wins, draw, Black wins; as planner::ValueScale splits an expected result.
Json wdl_json(double p) {
    return {rounded(p * p), rounded(2 * p * (1 - p)), rounded((1 - p) * (1 - p))};
}

std::string square_name(chess::Square square) {
    const int index = chess::index(square);
    return {static_cast<char>('a' + index % 8), static_cast<char>('1' + index / 8)};
}

char piece_letter(chess::Piece piece) {
    constexpr std::string_view kLetters = "?pnbrqk";
    const char letter = kLetters[static_cast<std::size_t>(type_of(piece)) % kLetters.size()];
    return color_of(piece) == chess::Color::White ? static_cast<char>(letter - 'a' + 'A') : letter;
}

struct FensOf {
    const StudioModel* model;
    std::vector<chess::Position> positions;
};

Answer<FensOf> read_fens_call(Services& services, const Json& body) {
    Fields fields(body);
    FensOf call{read_api_model(fields, services.models),
                read_api_fens(fields, Services::kMostFens)};
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    return call;
}

struct GameOf {
    const StudioModel* model;
    ApiGame game;
};

Answer<GameOf> read_game_call(Services& services, const Json& body) {
    Fields fields(body);
    GameOf call{read_api_model(fields, services.models), read_api_game(fields)};
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    return call;
}

analysis::SeenGame seen_game_of(const chess::Game& game) {
    analysis::SeenGame seen;
    seen.positions.assign(game.positions().begin(), game.positions().end());
    seen.moves.assign(game.moves().begin(), game.moves().end());
    return seen;
}

// A position with what the model says about it.
struct Judged {
    std::vector<float> z;
    double p = 0.5;
};

Judged judged_position(const StudioModel& model, const chess::Position& position) {
    ThreadPool pool = own_thread();
    Judged judged;
    judged.z = model.space.embed({&position, 1}, pool);
    judged.p = model.space.win_probabilities(judged.z, {&position, 1}, pool).front();
    return judged;
}

}  // namespace

void add_places(Json& json, const StudioMap* map, std::span<const float> z) {
    for (const char* id : {"axis", "umap"}) {
        json[id] = nullptr;
        const Layout* layout = map == nullptr ? nullptr : map->layout(id);
        if (layout == nullptr) continue;
        if (const auto place = layout->map->place(z)) json[id] = {place->x, place->y};
    }
}

Answer<Json> call_score(Services& services, const Json& body) {
    const auto call = read_fens_call(services, body);
    if (!call) return tl::unexpected<ApiError>(call.error());
    ThreadPool pool = own_thread();
    const model::LoadedModel& model = call->model->model();
    const std::vector<float> z = call->model->space.embed(call->positions, pool);
    const auto p = call->model->space.win_probabilities(z, call->positions, pool);
    Json scores = Json::array();
    for (std::size_t i = 0; i < call->positions.size(); ++i) {
        const auto row = std::span(z).subspan(i * model.dims(), model.dims());
        const bool over = chess::outcome(call->positions[i], chess::Claims::Ignored).has_value();
        scores.push_back(
            {{"p", rounded(p[i])},
             {"score", over ? Json() : Json(model.axis().score(row))},
             {"anchored_score", over ? Json() : Json(model.axis().anchored_score(row))}});
    }
    return Json{{"scores", std::move(scores)}};
}

Answer<Json> call_embed(Services& services, const Json& body) {
    const auto call = read_fens_call(services, body);
    if (!call) return tl::unexpected<ApiError>(call.error());
    ThreadPool pool = own_thread();
    const std::size_t dims = call->model->model().dims();
    const std::vector<float> z = call->model->space.embed(call->positions, pool);
    Json rows = Json::array();
    for (std::size_t i = 0; i < call->positions.size(); ++i) {
        rows.push_back(std::vector<float>(z.begin() + static_cast<std::ptrdiff_t>(i * dims),
                                          z.begin() + static_cast<std::ptrdiff_t>((i + 1) * dims)));
    }
    return Json{{"dims", dims}, {"embeddings", std::move(rows)}};
}

Answer<Json> call_rank(Services& services, const Json& body) {
    const auto call = read_game_call(services, body);
    if (!call) return tl::unexpected<ApiError>(call.error());
    const chess::Position& position = call->game.game.position();
    const Notation& notation = call->game.notation;
    const StudioModel& model = *call->model;
    const StudioMapPtr map = services.maps.state(model).map;
    const Judged here = judged_position(model, position);
    Json json{{"fen", notation.fen(position)}, {"p", rounded(here.p)}};
    add_places(json, map.get(), here.z);
    model::Scorer scorer(model.loaded);
    const auto ranked = scorer.rank_moves(position);
    std::vector<chess::Position> children;
    for (const auto& move : ranked) children.push_back(position.after(move.move));
    ThreadPool pool = own_thread();
    const std::vector<float> z = model.space.embed(children, pool);
    Json moves = Json::array();
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        Json move{{"rank", i + 1}};
        move.update(notation.move(position, ranked[i].move, true));
        move["p"] = rounded(ranked[i].win_probability);
        move["change"] = rounded(ranked[i].win_probability - here.p);
        move["score"] = ranked[i].score;
        move["finished"] = ranked[i].finished;
        add_places(move, map.get(),
                   std::span(z).subspan(i * model.model().dims(), model.model().dims()));
        moves.push_back(std::move(move));
    }
    json["moves"] = std::move(moves);
    return json;
}

Answer<Json> call_explain(Services& services, const Json& body) {
    const auto call = read_game_call(services, body);
    if (!call) return tl::unexpected<ApiError>(call.error());
    const chess::Position& position = call->game.game.position();
    const Notation& notation = call->game.notation;
    const analysis::Explanation why = analysis::explain(position, call->model->model());
    Json pieces = Json::array(), moves = Json::array();
    for (const analysis::ExplainedPiece& piece : why.pieces) {
        pieces.push_back({{"square", square_name(piece.square)},
                          {"piece", std::string(1, piece_letter(piece.piece))},
                          {"adds", opt_json(piece.worth)},
                          {"its_square", opt_json(piece.square_worth)}});
    }
    for (const analysis::ExplainedMove& move : why.moves) {
        moves.push_back({{"uci", notation.uci(position, move.move)},
                         {"san", move.san},
                         {"p", rounded(move.win_probability)},
                         {"change", rounded(move.change)}});
    }
    return Json{{"fen", notation.fen(position)},
                {"p", rounded(why.win_probability)},
                {"score", why.score},
                {"axis_distance", why.axis_distance},
                {"pieces", std::move(pieces)},
                {"moves", std::move(moves)}};
}

Answer<Json> call_trace(Services& services, const Json& body) {
    const auto call = read_game_call(services, body);
    if (!call) return tl::unexpected<ApiError>(call.error());
    const StudioMapPtr map = services.maps.state(*call->model).map;
    ThreadPool pool = own_thread();
    const analysis::GameTrace trace =
        analysis::trace_game(seen_game_of(call->game.game), call->model->space, 8, pool);
    const auto& positions = trace.game.positions;
    Json plies = Json::array(), turns = Json::array();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Json ply{{"ply", i}};
        if (i > 0) ply.update(call->game.notation.move(positions[i - 1], trace.game.moves[i - 1]));
        ply["fen"] = call->game.notation.fen(positions[i]);
        ply["p"] = rounded(trace.p[i]);
        ply["wdl"] = wdl_json(trace.p[i]);
        if (i > 0) ply["change"] = rounded(trace.p[i] - trace.p[i - 1]);
        add_places(ply, map.get(), std::span(trace.z).subspan(i * trace.dims, trace.dims));
        plies.push_back(std::move(ply));
    }
    for (const analysis::KeyMoment& moment : trace.key_moments) {
        const chess::Position& before = positions[moment.ply - 1];
        turns.push_back({{"ply", moment.ply},
                         {"san", chess::to_san(before, trace.game.moves[moment.ply - 1])},
                         {"move", moment.move},
                         {"change", rounded(moment.after - moment.before)}});
    }
    return Json{{"plies", std::move(plies)}, {"turning_points", std::move(turns)}};
}

// --- the map

Answer<Json> call_map_place(Services& services, const Json& body) {
    Fields fields(body);
    const StudioModel* model = read_api_model(fields, services.models);
    const bool path = fields.flag("path", false);
    std::vector<chess::Position> positions;
    if (path) {
        const ApiGame game = read_api_game(fields);
        positions.assign(game.game.positions().begin(), game.game.positions().end());
    } else {
        positions = read_api_fens(fields, Services::kMostPlaced);
    }
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    const StudioMapPtr map = services.maps.state(*model).map;
    ThreadPool pool = own_thread();
    const std::vector<float> z = model->space.embed(positions, pool);
    const auto p = model->space.win_probabilities(z, positions, pool);
    Json points = Json::array();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Json point{{"p", rounded(p[i])}};
        add_places(point, map.get(),
                   std::span(z).subspan(i * model->model().dims(), model->model().dims()));
        points.push_back(std::move(point));
    }
    return Json{{"points", std::move(points)}};
}

}  // namespace solis::studio
