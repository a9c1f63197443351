// Games as lines of JSON.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/text.h"
#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/engine/uci_protocol.h"
#include "solis/engine/words.h"
#include "solis/lab/match/game_record.h"
#include "solis/lab/shallow_json.h"

namespace solis::lab {
namespace {

using Json = nlohmann::ordered_json;

std::string moves_text(const GameRecord& game) {
    std::string text;
    chess::Position position = game.start;
    for (const PlayedMove& played : game.moves) {
        if (!text.empty()) text += ' ';
        text += chess::to_uci(position, played.move);
        position = position.after(played.move);
    }
    return text;
}

// One array per property, of the moves after the opening.
template <class Get>
Json column(const GameRecord& game, Get get) {
    Json values = Json::array();
    for (std::size_t i = game.book_plies; i < game.moves.size(); ++i) {
        values.push_back(get(game.moves[i]));
    }
    return values;
}

// Reads the fields of one object; the first one that is missing or wrong is the error.
class Fields {
  public:
    explicit Fields(const Json& object) : object_(object) {}

    [[nodiscard]] std::string text(const char* key) {
        const Json* value = find(key);
        if (value == nullptr || !value->is_string()) return reject<std::string>(key, "a text");
        return value->get<std::string>();
    }
    [[nodiscard]] std::uint64_t count(const char* key) {
        const Json* value = find(key);
        if (value == nullptr || !value->is_number_unsigned()) {
            return reject<std::uint64_t>(key, "a number");
        }
        return value->get<std::uint64_t>();
    }
    // Calls take(i, value) for an array of exactly `size` integers or nulls, null being `none`.
    template <class Take>
    void column(const char* key, std::size_t size, std::int64_t none, Take take) {
        const Json* values = find(key);
        if (values == nullptr || !values->is_array() || values->size() != size) {
            reject<int>(key, "an array with one value per move");
            return;
        }
        for (std::size_t i = 0; i < size; ++i) {
            const Json& value = (*values)[i];
            if (!value.is_number_integer() && !value.is_null()) {
                reject<int>(key, "an array of whole numbers");
                return;
            }
            take(i, value.is_null() ? none : value.get<std::int64_t>());
        }
    }
    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    const Json* find(const char* key) const {
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }
    template <class T>
    T reject(const char* key, const char* expected) {
        if (error_.empty()) error_ = fmt::format("'{}' is not {}", key, expected);
        return {};
    }

    const Json& object_;
    std::string error_;
};

int to_int(std::int64_t value) {
    return static_cast<int>(std::clamp<std::int64_t>(value, -2'000'000'000, 2'000'000'000));
}

Result<void> read_moves(std::string_view text, GameRecord& game) {
    chess::Position position = game.start;
    for (std::string_view word = engine::next_word(text); !word.empty();
         word = engine::next_word(text)) {
        const auto move = chess::parse_uci(position, word);
        if (!move) return tl::unexpected(move.error());
        PlayedMove played;
        played.move = *move;
        game.moves.push_back(played);
        position = position.after(*move);
    }
    if (game.book_plies > game.moves.size()) return fail("'book' is more than the moves");
    return {};
}

void read_columns(Fields& fields, GameRecord& game) {
    const std::size_t size = game.moves.size() - game.book_plies;
    PlayedMove* const moves = game.moves.data() + game.book_plies;
    constexpr std::int64_t kNoScore = std::numeric_limits<std::int16_t>::min();
    fields.column("score", size, kNoScore, [&](std::size_t i, std::int64_t value) {
        const auto bits = std::clamp<std::int64_t>(value, kNoScore, -(kNoScore + 1));
        moves[i].score = data::Score::from_bits(static_cast<std::int16_t>(bits));
    });
    fields.column("depth", size, 0,
                  [&](std::size_t i, std::int64_t value) { moves[i].depth = to_int(value); });
    fields.column("nodes", size, 0, [&](std::size_t i, std::int64_t value) {
        moves[i].nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
    });
    fields.column("ms", size, 0,
                  [&](std::size_t i, std::int64_t value) { moves[i].time_ms = to_int(value); });
    fields.column("lag", size, 0,
                  [&](std::size_t i, std::int64_t value) { moves[i].lag_ms = to_int(value); });
}

Result<void> read_outcome(Fields& fields, GameRecord& game) {
    const std::string result = fields.text("result"), ending = fields.text("ending"),
                      fault = fields.text("fault");
    game.result = chess::result_from_string(result);
    if (game.result == chess::GameResult::Unknown) {
        return fail(fmt::format("{} is no result", solis::in_quotes(result)));
    }
    const auto known = ending_from_name(ending);
    if (!known) return fail(fmt::format("{} is no ending", solis::in_quotes(ending)));
    game.ending = *known;
    if (fault == "white") game.at_fault = chess::Color::White;
    if (fault == "black") game.at_fault = chess::Color::Black;
    if (is_fault(game.ending) != game.at_fault.has_value()) {
        return fail(fmt::format("ending {} and fault {} do not fit", solis::in_quotes(ending),
                                solis::in_quotes(fault)));
    }
    return {};
}

}  // namespace

std::string to_json_line(const GameRecord& game) {
    const char* fault = !game.at_fault                          ? ""
                        : *game.at_fault == chess::Color::White ? "white"
                                                                : "black";
    const Json line{
        {"game", game.number},
        {"white", game.white},
        {"black", game.black},
        {"result", chess::to_string(game.result)},
        {"ending", name_of(game.ending)},
        {"fault", fault},
        {"note", game.note},
        {"started", game.started_at},
        {"duration", game.duration_ms},
        {"fen", chess::to_fen(game.start)},
        {"book", game.book_plies},
        {"moves", moves_text(game)},
        {"score", column(game,
                         [](const PlayedMove& m) {
                             return m.score.is_none() ? Json() : Json(m.score.value());
                         })},
        {"depth", column(game, [](const PlayedMove& m) { return m.depth; })},
        {"nodes", column(game, [](const PlayedMove& m) { return m.nodes; })},
        {"ms", column(game, [](const PlayedMove& m) { return m.time_ms; })},
        {"lag", column(game, [](const PlayedMove& m) { return m.lag_ms; })},
    };
    // What an engine printed may be anything.
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<GameRecord> parse_json_line(std::string_view text) {
    const Json line = parse_shallow_json(text);
    if (!line.is_object()) return fail("not a JSON object");
    Fields fields(line);
    GameRecord game;
    game.number = fields.count("game");
    game.white = fields.text("white");
    game.black = fields.text("black");
    game.note = fields.text("note");
    game.started_at = fields.text("started");
    game.duration_ms = to_int(static_cast<std::int64_t>(fields.count("duration")));
    game.book_plies = fields.count("book");
    const std::string fen = fields.text("fen"), moves = fields.text("moves");
    if (auto read = read_outcome(fields, game); !read && fields.error().empty()) {
        return tl::unexpected(read.error());
    }
    if (!fields.error().empty()) return fail(fields.error());
    const auto start = chess::parse_fen(fen);
    if (!start) return tl::unexpected(start.error());
    game.start = *start;
    if (auto read = read_moves(moves, game); !read) return tl::unexpected(read.error());
    read_columns(fields, game);
    if (!fields.error().empty()) return fail(fields.error());
    return game;
}

}  // namespace solis::lab
