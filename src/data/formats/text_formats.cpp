// Text and TSV lines, puzzles.
#include "data/formats/text_formats.h"

#include <algorithm>
#include <array>

#include "chess/fen.h"
#include "chess/uci_move.h"
#include "data/formats/fields.h"

namespace solis::data {
namespace {

bool holds_nothing(std::string_view row) { return row.empty() || row.front() == '#'; }

Result<Score> parse_score(std::string_view text) {
    const auto number = parse_number<long long>(text);
    if (!number) return fail(fmt::format("score {}, expected a whole number", quoted(text)));
    return score_from_number(*number);
}

Result<bool> parse_text_row(std::string_view row, LabelledGame& game) {
    row = trimmed(row);
    if (holds_nothing(row)) return false;
    const std::size_t first = row.find('|');
    if (first == std::string_view::npos) {
        return fail(fmt::format("{} has no '|', expected FEN | score | result", quoted(row)));
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
        return fail(fmt::format("{} has no tab, expected FEN<TAB>score", quoted(row)));
    }
    const std::size_t end = std::min(row.find('\t', tab + 1), row.size());
    const auto position = chess::parse_fen(row.substr(0, tab));
    if (!position) return tl::unexpected(position.error());
    const auto score = parse_score(trimmed(row.substr(tab + 1, end - tab - 1)));
    if (!score) return tl::unexpected(score.error());
    set_position(game, *position, *score);
    return true;
}

// Rows of RFC 4180: a line end inside quotes belongs to the field.
class CsvRows final : public RowReader {
  public:
    explicit CsvRows(std::unique_ptr<ByteSource> source)
        : source_(std::move(source)), lines_(*source_) {}

    Result<bool> next(std::string_view& row) override {
        auto more = lines_.next(row);
        if (!more || !*more || !has_odd_quotes(row)) return more;
        joined_ = row;
        // A quote that is never closed must not swallow the rest of the file.
        constexpr std::size_t kLongest = std::size_t{1} << 16;
        for (bool is_open = true; is_open && joined_.size() < kLongest;) {
            std::string_view line;
            more = lines_.next(line);
            if (!more) return more;
            if (!*more) break;
            joined_.append("\n").append(line);
            is_open = !has_odd_quotes(line);
        }
        row = joined_;
        return true;
    }
    std::string_view unit() const override { return "row"; }

  private:
    static bool has_odd_quotes(std::string_view text) {
        return std::count(text.begin(), text.end(), '"') % 2 != 0;
    }

    std::unique_ptr<ByteSource> source_;
    LineReader lines_;
    std::string joined_;
};

// One field off the front of `row`, unquoted.
Result<std::string> take_csv_field(std::string_view& row) {
    std::string field;
    if (!row.starts_with('"')) {
        const std::size_t end = std::min(row.find(','), row.size());
        field = row.substr(0, end);
        row.remove_prefix(std::min(end + 1, row.size()));
        return field;
    }
    std::size_t at = 1;
    for (;; ++at) {
        if (at >= row.size()) return fail("a quoted field is not closed");
        if (row[at] != '"') {
            field += row[at];
        } else if (at + 1 < row.size() && row[at + 1] == '"') {
            field += row[at++];
        } else {
            break;
        }
    }
    if (at + 1 < row.size() && row[at + 1] != ',') return fail("text after a closing quote");
    row.remove_prefix(std::min(at + 2, row.size()));
    return field;
}

Result<void> append_moves(std::string_view moves, LabelledGame& game) {
    chess::Position position = game.start;
    for (moves = trimmed(moves); !moves.empty();) {
        const std::size_t end = std::min(moves.find(' '), moves.size());
        const auto move = chess::parse_uci(position, moves.substr(0, end));
        if (!move) return tl::unexpected(move.error());
        position = position.after(*move);
        game.line.push_back({.move = *move, .score = {}, .second_look = {}, .branch_count = 0});
        moves = trimmed(moves.substr(end));
    }
    return {};
}

Result<bool> parse_puzzle_row(std::string_view row, LabelledGame& game) {
    if (trimmed(row).empty()) return false;
    std::array<std::string, 3> fields;  // PuzzleId, FEN, Moves
    for (std::string& field : fields) {
        auto text = take_csv_field(row);
        if (!text) return tl::unexpected(text.error());
        field = std::move(*text);
    }
    if (fields[1] == "FEN") return false;  // the heading
    const auto position = chess::parse_fen(fields[1]);
    if (!position) return tl::unexpected(position.error());
    set_position(game, *position, Score());
    if (auto ok = append_moves(fields[2], game); !ok) return tl::unexpected(ok.error());
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
    return {std::make_unique<CsvRows>(std::move(source)), [] { return parse_puzzle_row; }};
}

}  // namespace solis::data
