// Calls about the server, positions and games that need no thinking.
#include <charconv>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/base/system_seed.h"
#include "solis/chess/pgn/reader.h"
#include "solis/studio/services.h"

namespace solis::studio {
namespace {

using chess::PgnGame;
using chess::PgnNode;
using chess::PgnNote;
using chess::PgnNoteKind;

constexpr std::size_t kMostListedGames = 2000;

Json model_json(const StudioModel& model, bool is_default) {
    return {{"id", model.id},
            {"name", model.id},
            {"kind", model.kind},
            {"dims", model.model().dims()},
            {"parameters", model.parameters},
            {"bytes", model.bytes},
            {"endings", model.model().has_endings()},
            {"hash", model.space.hash()},
            {"default", is_default},
            {"embeds", model.model().embeds()}};
}

Json plans_json() {
    return Json::array({{{"id", "deep"}, {"multipv", true}},
                        {{"id", "paper"},
                         {"multipv", true},
                         {"width", {1, planner::Settings::kMaxWidth}},
                         {"depth", {1, planner::Settings::kMaxPlies}},
                         {"tree", true}},
                        {{"id", "puct"}, {"multipv", true}}});
}

// --- PGN

Json tags_json(const PgnGame& game) {
    Json tags = Json::object();
    for (std::size_t i = 0; i < game.tag_count(); ++i) {
        tags[std::string(game.tag(i).name)] = game.tag(i).value;
    }
    return tags;
}

bool is_chess960(const PgnGame& game) {
    const std::string_view variant = game.tag("Variant").value_or("");
    return variant == "Chess960" || variant == "chess960" || variant == "Fischerandom" ||
           variant == "fischerandom" || variant == "Chess 960";
}

Json game_head_json(const PgnGame& game, std::size_t index) {
    const bool chess960 = is_chess960(game);
    return {{"index", index},
            {"tags", tags_json(game)},
            {"result", chess::to_string(game.result())},
            {"plies", game.ply_count()},
            {"variations", game.variation_count()},
            {"start", Notation{chess960}.fen(game.start())},
            {"chess960", chess960}};
}

void add_note(Json& json, const PgnGame& game, const PgnNote& note) {
    switch (note.kind) {
        case PgnNoteKind::Comment:
            json[note.before_move ? "before" : "comments"].push_back(game.text_of(note));
            break;
        case PgnNoteKind::Nag:
            json["nags"].push_back(note.value);
            break;
        case PgnNoteKind::Centipawns:
            json["eval"] = note.value;
            break;
        case PgnNoteKind::Mate:
            json["mate"] = note.value;
            break;
        case PgnNoteKind::Clock:
            json["clock"] = note.value;
            break;
        case PgnNoteKind::Elapsed:
            json["elapsed"] = note.value;
            break;
    }
}

// A line of moves that begins with `node`, played in `position`. Variations inside variations go as
// deep as the reader lets them, and the body of a request bounds their number.
Json line_json(const PgnGame& game, std::uint32_t node, chess::Position position,
               const Notation& notation, bool is_variation) {
    Json line = Json::array();
    for (; node != PgnNode::kNone; node = game.node(node).next) {
        Json move = notation.move(position, game.node(node).move, true);
        for (const PgnNote& note : game.notes_of(node)) add_note(move, game, note);
        // The alternatives of a move are those of the line's first move only where it is the one
        // that the others stand beside.
        const bool first_of_variation = is_variation && line.empty();
        for (std::uint32_t other = first_of_variation ? PgnNode::kNone
                                                      : game.node(node).alternative;
             other != PgnNode::kNone; other = game.node(other).alternative) {
            move["variations"].push_back(line_json(game, other, position, notation, true));
        }
        position = position.after(game.node(node).move);
        line.push_back(std::move(move));
    }
    return line;
}

Json whole_game_json(const PgnGame& game, std::size_t index) {
    const Notation notation{is_chess960(game)};
    Json json = game_head_json(game, index);
    Json comments = Json::array();
    for (const PgnNote& note : game.notes_of(0)) {
        if (note.kind == PgnNoteKind::Comment) comments.push_back(game.text_of(note));
    }
    json["comments"] = std::move(comments);
    json["line"] = line_json(game, chess::first_move(game), game.start(), notation, false);
    return json;
}

}  // namespace

Answer<Json> call_status(Services& services) {
    Json models = Json::array(), watched = Json::array();
    for (const auto& model : services.models.all()) {
        models.push_back(model_json(*model, models.empty()));
    }
    for (const Watched& one : services.watched) watched.push_back(to_json(one));
    return Json{{"api", 1},
                {"version", services.version},
                {"instance", services.instance},
                {"models", std::move(models)},
                {"plans", plans_json()},
                {"elo", {planner::Settings::kMinElo, planner::Settings::kMaxElo}},
                {"threads", services.queue.threads()},
                {"plans_running", services.queue.running()},
                {"plans_waiting", services.queue.waiting()},
                {"limits",
                 {{"body_bytes", HttpLimits().body_bytes},
                  {"positions", Services::kMostFens},
                  {"multipv", services.bounds.multipv},
                  {"movetime", services.bounds.longest.count()},
                  {"plans_waiting", services.queue.most_waiting()}}},
                {"watch", std::move(watched)}};
}

Answer<Json> call_position(Services&, const Json& body) {
    Fields fields(body);
    const ApiGame game = read_api_game(fields);
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    return position_json(game);
}

Answer<Json> call_chess960(const HttpRequest& request) {
    int number = static_cast<int>(Rng(system_seed()).below(960));
    if (const auto text = request.parameter("number")) {
        const auto [end, error] =
            std::from_chars(text->data(), text->data() + text->size(), number);
        if (error != std::errc() || end != text->data() + text->size() || number < 0 ||
            number > 959) {
            return refuse(422, "'number' is not a whole number from 0 to 959", {}, "number");
        }
    }
    return Json{{"number", number}, {"fen", chess960_fen(number)}};
}

Answer<Json> call_pgn(Services&, const Json& body) {
    Fields fields(body);
    const std::string text = fields.text("pgn", "", HttpLimits().body_bytes);
    const auto wanted = fields.whole("game", 0, 1'000'000);
    if (const auto error = fields.finish()) return tl::unexpected<ApiError>(*error);
    const auto source = memory_source(text);
    // A game of a million moves would be an answer of hundreds of megabytes.
    chess::PgnLimits limits;
    limits.moves = 20'000;
    limits.depth = 40;
    chess::PgnReader reader(*source, limits);
    Json games = Json::array(), broken = Json::array(), whole;
    PgnGame game, first;
    std::size_t count = 0;
    while (true) {
        const auto outcome = reader.next(game);
        if (!outcome) return refuse(outcome.error(), "pgn");
        if (*outcome == chess::PgnOutcome::End) break;
        const std::size_t index = count++;
        if (games.size() < kMostListedGames) games.push_back(game_head_json(game, index));
        if (*outcome == chess::PgnOutcome::Broken && broken.size() < kMostListedGames) {
            broken.push_back(
                {{"index", index}, {"line", reader.line()}, {"message", reader.error().message}});
        }
        if (wanted && static_cast<std::size_t>(*wanted) == index) {
            whole = whole_game_json(game, index);
        }
        if (index == 0) first = game;
    }
    if (count == 0) return refuse(422, "there is no game in it", {}, "pgn");
    if (!wanted && count == 1) whole = whole_game_json(first, 0);
    if (wanted && whole.is_null()) {
        return refuse(422, fmt::format("there are {} games, counted from 0", count), {}, "game");
    }
    const bool truncated = count > games.size();
    return Json{{"count", count},
                {"games", std::move(games)},
                {"broken", std::move(broken)},
                {"truncated", truncated},
                {"game", std::move(whole)}};
}

}  // namespace solis::studio
