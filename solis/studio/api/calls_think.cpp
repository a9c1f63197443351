// Calls that think: plans, reviews of games, and what is kept of them.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "solis/analysis/review/report.h"
#include "solis/base/byte_source.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"
#include "solis/chess/san.h"
#include "solis/studio/services.h"
#include "solis/studio/think/events.h"
#include "solis/studio/think/plan_job.h"
#include "solis/studio/think/review_job.h"

namespace solis::studio {
namespace {

tl::unexpected<ApiError> too_many_plans() {
    return refuse(503, "too many plans wait for a thread", "ask again in some seconds");
}

std::string accepted_json(const Job& job) { return json_text({{"id", job.id()}}); }

// The game of a review: that of a PGN, or the moves of the request.
chess::PgnGame read_review_game(Fields& fields) {
    chess::PgnGame game;
    if (!fields.has("pgn")) {
        const ApiGame given = read_api_game(fields);
        game.set_start(given.game.start());
        std::uint32_t node = 0;
        for (const chess::Move move : given.game.moves()) node = game.add_move(node, move);
        if (given.notation.chess960) game.add_tag("Variant", "Chess960");
        return game;
    }
    const std::string text = fields.text("pgn", "", HttpLimits().body_bytes);
    const std::int64_t wanted = fields.whole("game", 0, 1'000'000).value_or(0);
    const auto source = memory_source(text);
    chess::PgnReader reader(*source);
    for (std::int64_t i = 0; i <= wanted && fields.ok(); ++i) {
        const auto outcome = reader.next(game);
        if (!outcome || *outcome == chess::PgnOutcome::End) {
            fields.refuse({422, fmt::format("there is no game {}", wanted), {}, "game"});
        } else if (i == wanted && *outcome == chess::PgnOutcome::Broken) {
            fields.refuse({422, reader.error().message, reader.error().hint, "pgn"});
        }
    }
    return game;
}

void read_review_tags(Fields& fields, chess::PgnGame& game) {
    const Json* tags = fields.object("tags");
    if (tags == nullptr) return;
    if (tags->size() > 50) {
        fields.refuse({422, "'tags' has more than 50 entries", {}, "tags"});
        return;
    }
    Fields inner(*tags, fields.path_of("tags"));
    for (const auto& [name, value] : tags->items()) {
        const bool plain =
            !name.empty() && name.size() <= 40 && std::all_of(name.begin(), name.end(), [](char c) {
                return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                       c == '_';
            });
        if (!plain) {
            fields.refuse({422, "the name of a tag has letters and digits only", {}, "tags"});
            return;
        }
        std::string text = inner.text(name, "", 200);
        for (char& c : text) {
            if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
        }
        if (game.tag(name) || text.empty()) continue;
        if (name == "Result") {
            game.set_result(chess::result_from_string(text));
        } else if (name != "FEN" && name != "SetUp") {
            game.add_tag(name, text);
        }
    }
    if (const auto error = inner.finish()) fields.refuse(*error);
}

}  // namespace

Answer<HttpResponse> call_plan(Services& services, const Json& body) {
    auto read = read_plan_request(body, services.models, services.bounds);
    if (!read) return tl::unexpected<ApiError>(read.error());
    if (services.queue.is_full()) return too_many_plans();
    const auto request = std::make_shared<const PlanRequest>(std::move(*read));
    return event_response([&services, request](HttpStream& stream) {
        const ListedJob job(services.jobs, services.queue);
        (*job).feed().put_event("accepted", accepted_json(*job));
        const auto session = services.sessions.find(request->session);
        session->begin(job.shared());
        PlanWriter writer(*request, {request->model->model(), request->settings.scoring});
        stream_job(
            stream, *job, [&] { run_plan_job(*job, *session, *request, writer); },
            [&](const News& news) { return writer.events(news); });
    });
}

Answer<Json> call_plan_stop(Services& services, const Json& body) {
    Fields fields(body);
    const std::string id = fields.text("id", "", 64);
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    const auto job = services.jobs.find(id);
    if (job) job->stop(StopReason::Stopped);
    return Json{{"stopped", job != nullptr}};
}

Answer<HttpResponse> call_review(Services& services, const Json& body) {
    Fields fields(body);
    auto request = std::make_shared<ReviewRequest>();
    request->model = read_api_model(fields, services.models);
    request->settings = read_api_settings(fields, services.bounds);
    planner::Limits usual;
    usual.nodes = 20'000;
    request->limits = read_api_limits(fields, usual);
    request->game = read_review_game(fields);
    read_review_tags(fields, request->game);
    const std::string session_name = fields.text("session", "", 64);
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    if (request->game.ply_count() == 0) return refuse(422, "the game has no moves");
    if (request->game.ply_count() > 2000) return refuse(422, "the game has more than 2,000 moves");
    bound_review(*request);
    if (services.queue.is_full()) return too_many_plans();
    return event_response([&services, request, session_name](HttpStream& stream) {
        const ListedJob job(services.jobs, services.queue);
        (*job).feed().put_event("accepted", accepted_json(*job));
        const auto session = services.sessions.find(session_name);
        session->begin(job.shared());
        stream_job(
            stream, *job, [&] { run_review_job(*job, *session, *request, services.reviews); },
            [](const News&) { return std::string(); });
    });
}

Answer<HttpResponse> call_report(Services& services, const HttpRequest& request,
                                 std::string_view file) {
    const std::size_t dot = file.rfind('.');
    if (dot == std::string_view::npos) return refuse(404, "there is no such report");
    const auto kept = services.reviews.find(file.substr(0, dot));
    if (!kept) {
        return refuse(404, "that review is not kept any more", "review the game again");
    }
    const std::string_view kind = file.substr(dot + 1);
    HttpResponse response;
    if (kind == "html") {
        response.type = "text/html; charset=utf-8";
        response.body = analysis::review_html(kept->review, kept->model);
    } else if (kind == "svg") {
        const bool dark = request.parameter("theme") == "dark";
        response.type = "image/svg+xml";
        response.body = analysis::review_svg(
            kept->review, dark ? analysis::ReportTheme::Dark : analysis::ReportTheme::Light);
    } else if (kind == "pgn") {
        response.type = "application/vnd.chess-pgn";
        response.body = chess::to_pgn(kept->review.annotated_game());
    } else if (kind == "json") {
        response.body = kept->json;
    } else {
        return refuse(404, "there is no such report", "html, svg, pgn or json");
    }
    // A document of its own: its style is inline, it runs nothing and asks for nothing.
    response.headers = {
        {"Content-Security-Policy",
         "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"},
        {"Content-Disposition",
         fmt::format("{}; filename=\"solis-review.{}\"",
                     request.parameter("inline") ? "inline" : "attachment", kind)}};
    return response;
}

Answer<Json> call_watch_list(Services& services) {
    Json list = Json::array();
    for (const Watched& watched : services.watched) list.push_back(to_json(watched));
    return Json{{"watch", std::move(list)}};
}

Answer<HttpResponse> call_watch(Services& services, const HttpRequest& request,
                                std::string_view id) {
    const auto found = std::find_if(services.watched.begin(), services.watched.end(),
                                    [&](const Watched& watched) { return watched.id == id; });
    if (found == services.watched.end()) {
        return refuse(404, "there is nothing to watch under that name",
                      "start the server with --match LOG or --run FOLDER");
    }
    const bool follow = request.parameter("follow").value_or("1") != "0";
    return event_response(
        [watched = *found, follow](HttpStream& stream) { stream_watch(stream, watched, follow); });
}

}  // namespace solis::studio
