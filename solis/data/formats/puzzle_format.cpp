// Reading puzzles.
#include "solis/data/formats/puzzle_format.h"

#include <algorithm>
#include <array>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/data/formats/fields.h"

namespace solis::data {
namespace {

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

// Calls take(word) for each word between blanks, while it succeeds.
template <class Take>
Result<void> each_word(std::string_view text, Take take) {
    for (text = trimmed(text); !text.empty();) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (Result<void> taken = take(text.substr(0, end)); !taken) return taken;
        text = trimmed(text.substr(end));
    }
    return {};
}

}  // namespace

std::unique_ptr<RowReader> csv_rows(std::unique_ptr<ByteSource> source) {
    return std::make_unique<CsvRows>(std::move(source));
}

Result<bool> parse_puzzle(std::string_view row, Puzzle& puzzle) {
    puzzle = {};
    if (trimmed(row).empty()) return false;
    // PuzzleId, FEN, Moves, Rating, RatingDeviation, Popularity, NbPlays, Themes
    std::array<std::string, 8> fields;
    for (std::string& field : fields) {
        if (row.empty()) break;
        auto text = take_csv_field(row);
        if (!text) return tl::unexpected(text.error());
        field = std::move(*text);
    }
    if (fields[1] == "FEN") return false;  // the heading
    const auto position = chess::parse_fen(fields[1]);
    if (!position) return tl::unexpected(position.error());
    puzzle.id = fields[0];
    puzzle.start = *position;
    puzzle.rating = parse_number<int>(trimmed(fields[3])).value_or(0);
    chess::Position reached = *position;
    const auto moves = each_word(fields[2], [&](std::string_view word) -> Result<void> {
        const auto move = chess::parse_uci(reached, word);
        if (!move) return tl::unexpected(move.error());
        puzzle.moves.push_back(*move);
        reached = reached.after(*move);
        return {};
    });
    if (!moves) return tl::unexpected(moves.error());
    const auto themes = each_word(fields[7], [&](std::string_view word) -> Result<void> {
        puzzle.themes.emplace_back(word);
        return {};
    });
    if (!themes) return tl::unexpected(themes.error());
    return true;
}

}  // namespace solis::data
