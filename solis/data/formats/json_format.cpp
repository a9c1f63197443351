// JSON lines: the Lichess evaluation database and our own export.
#include <fmt/format.h>
#include <simdjson.h>

#include "solis/chess/fen.h"
#include "solis/data/formats/fields.h"
#include "solis/data/formats/text_formats.h"

namespace solis::data {
namespace {

namespace dom = simdjson::dom;

tl::unexpected<Error> json_fault(std::string_view field, simdjson::error_code error) {
    return fail(fmt::format("JSON field '{}': {}", field, simdjson::error_message(error)));
}

// "cp" or "mate" of an object; none when it has neither.
struct Verdict {
    bool is_mate = false;
    std::int64_t value = 0;
};

Result<Verdict> read_verdict(const dom::object& object) {
    Verdict verdict;
    if (!object["cp"].get(verdict.value)) return verdict;
    verdict.is_mate = true;
    if (const auto error = object["mate"].get(verdict.value))
        return json_fault("cp or mate", error);
    return verdict;
}

Score clipped_centipawns(std::int64_t cp) { return Score::centipawns(cp); }

// The first line of the deepest evaluation; among equals of that with most nodes.
Result<dom::object> best_line(const dom::array& evals) {
    dom::object best;
    std::int64_t best_depth = -1, best_knodes = -1;
    for (const dom::element eval : evals) {
        std::int64_t depth = 0, knodes = 0;
        if (const auto error = eval["depth"].get(depth)) return json_fault("depth", error);
        // Absent in some rows; it only breaks ties.
        if (eval["knodes"].get(knodes)) knodes = 0;
        if (std::pair(depth, knodes) <= std::pair(best_depth, best_knodes)) continue;
        dom::array lines;
        if (const auto error = eval["pvs"].get(lines)) return json_fault("pvs", error);
        if (lines.size() == 0) continue;
        if (const auto error = lines.at(0).get(best)) return json_fault("pvs", error);
        best_depth = depth;
        best_knodes = knodes;
    }
    if (best_depth < 0) return fail("JSON field 'evals': no evaluation in it");
    return best;
}

Result<bool> read_lichess(const dom::array& evals, const chess::Position& position,
                          LabelledGame& game) {
    const auto line = best_line(evals);
    if (!line) return tl::unexpected(line.error());
    const auto verdict = read_verdict(*line);
    if (!verdict) return tl::unexpected(verdict.error());
    const chess::Color side = position.side_to_move();
    const Score score = verdict->is_mate ? score_from_white_mate(verdict->value, side)
                                         : seen_by(side, clipped_centipawns(verdict->value));
    set_position(game, position, score);
    return true;
}

Result<bool> read_exported(const dom::object& object, const chess::Position& position,
                           LabelledGame& game) {
    const auto verdict = read_verdict(object);
    if (!verdict) return tl::unexpected(verdict.error());
    std::string_view result;
    if (!object["result"].get(result)) {
        const auto parsed = parse_result(result);
        if (!parsed) return tl::unexpected(parsed.error());
        game.result = *parsed;
    }
    set_position(
        game, position,
        verdict->is_mate ? score_from_mate(verdict->value) : clipped_centipawns(verdict->value));
    return true;
}

class JsonRowParser {
  public:
    Result<bool> operator()(std::string_view row, LabelledGame& game) {
        row = trimmed(row);
        if (row.empty()) return false;
        buffer_.assign(row);
        buffer_.reserve(row.size() + simdjson::SIMDJSON_PADDING);
        dom::object object;
        if (const auto error = parser_.parse(buffer_.data(), row.size(), false).get(object)) {
            return fail(fmt::format("{}: {}", in_quotes(row), simdjson::error_message(error)));
        }
        std::string_view fen;
        if (const auto error = object["fen"].get(fen)) return json_fault("fen", error);
        const auto position = chess::parse_fen(fen);
        if (!position) return tl::unexpected(position.error());
        dom::array evals;
        const auto error = object["evals"].get(evals);
        if (error == simdjson::NO_SUCH_FIELD) return read_exported(object, *position, game);
        if (error) return json_fault("evals", error);
        return read_lichess(evals, *position, game);
    }

  private:
    dom::parser parser_;
    std::string buffer_;  // simdjson reads a little past the end of a row
};

}  // namespace

RowFormat json_rows(std::unique_ptr<ByteSource> source) {
    return {line_rows(std::move(source)), [] {
                return
                    [parser = std::make_shared<JsonRowParser>()](
                        std::string_view row, LabelledGame& game) { return (*parser)(row, game); };
            }};
}

}  // namespace solis::data
