// Text and TSV lines, puzzles as games.
#include "solis/data/formats/text_formats.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/data/formats/fields.h"
#include "solis/data/formats/puzzle_format.h"

namespace solis::data {
namespace {

bool holds_nothing(std::string_view row) { return row.empty() || row.front() == '#'; }

Result<Score> parse_score(std::string_view text) {
    const auto number = parse_number<long long>(text);
    if (!number) return fail(fmt::format("score {}, expected a whole number", in_quotes(text)));
    return score_from_number(*number);
}

Result<bool> parse_text_row(std::string_view row, LabelledGame& game) {
    row = trimmed(row);
    if (holds_nothing(row)) return false;
    const std::size_t first = row.find('|');
    if (first == std::string_view::npos) {
        return fail(fmt::format("{} has no '|', expected FEN | score | result", in_quotes(row)));
    }
    const std::size_t second = std::min(row.find('|', first + 1), row.size());
    const auto position = chess::parse_fen(row.substr(0, first));
    if (!position) return tl::unexpected(position.error());
    const auto score = parse_score(trimmed(row.substr(first + 1, second - first - 1)));
    if (!score) return tl::unexpected(score.error());
    if (second != row.size()) {
        const auto result = parse_result(trimmed(row.substr(second + 1)));
        if (!result) return tl::unexpected(result.error());
        game.result = *result;
    }
    set_position(game, *position, seen_by(position->side_to_move(), *score));
    return true;
}

Result<bool> parse_tsv_row(std::string_view row, LabelledGame& game) {
    if (holds_nothing(trimmed(row))) return false;
    const std::size_t tab = row.find('\t');
    if (tab == std::string_view::npos) {
        return fail(fmt::format("{} has no tab, expected FEN<TAB>score", in_quotes(row)));
    }
    const std::size_t end = std::min(row.find('\t', tab + 1), row.size());
    const auto position = chess::parse_fen(row.substr(0, tab));
    if (!position) return tl::unexpected(position.error());
    const auto score = parse_score(trimmed(row.substr(tab + 1, end - tab - 1)));
    if (!score) return tl::unexpected(score.error());
    set_position(game, *position, *score);
    return true;
}

Result<bool> parse_puzzle_row(std::string_view row, LabelledGame& game) {
    Puzzle puzzle;
    const auto holds_one = parse_puzzle(row, puzzle);
    if (!holds_one || !*holds_one) return holds_one;
    set_position(game, puzzle.start, Score());
    for (const chess::Move move : puzzle.moves) {
        game.line.push_back({.move = move, .score = {}, .second_look = {}, .branch_count = 0});
    }
    return true;
}

}  // namespace

RowFormat text_rows(std::unique_ptr<ByteSource> source) {
    return {line_rows(std::move(source)), [] { return parse_text_row; }};
}

RowFormat tsv_rows(std::unique_ptr<ByteSource> source) {
    return {line_rows(std::move(source)), [] { return parse_tsv_row; }};
}

RowFormat puzzle_rows(std::unique_ptr<ByteSource> source) {
    return {csv_rows(std::move(source)), [] { return parse_puzzle_row; }};
}

}  // namespace solis::data
