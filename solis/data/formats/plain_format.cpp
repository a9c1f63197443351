// Reading ".plain".
#include "solis/data/formats/plain_format.h"

#include <optional>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/data/formats/fields.h"

namespace solis::data {
namespace {

struct Entry {
    chess::Position position = chess::Position::start();
    chess::Move move;
    Score score;
    GameResult result = GameResult::Unknown;
};

// The lines of an entry as text, so that a bad one can be skipped as a whole.
struct EntryText {
    std::string fen, move, score, result;

    void set(std::string_view key, std::string_view value) {
        if (key == "fen") fen = value;
        if (key == "move") move = value;
        if (key == "score") score = value;
        if (key == "result") result = value;
        // "ply" repeats what the FEN says.
    }
};

Result<GameResult> parse_relative_result(std::string_view text, chess::Color side) {
    if (text.empty()) return GameResult::Unknown;
    const auto value = parse_number<int>(text);
    if (!value || *value < -1 || *value > 1) {
        return fail(fmt::format("result {}, expected 1, 0 or -1", in_quotes(text)));
    }
    if (*value == 0) return GameResult::Draw;
    const bool white_wins = (*value > 0) == (side == chess::Color::White);
    return white_wins ? GameResult::WhiteWins : GameResult::BlackWins;
}

Result<Entry> parse_entry(const EntryText& text) {
    Entry entry;
    const auto position = chess::parse_fen(text.fen);
    if (!position) return tl::unexpected(position.error());
    entry.position = *position;
    if (!text.move.empty()) {
        const auto move = chess::parse_uci(*position, text.move);
        if (!move) return tl::unexpected(move.error());
        entry.move = *move;
    }
    const auto number = parse_number<long long>(text.score);
    if (!number)
        return fail(fmt::format("score {}, expected a whole number", in_quotes(text.score)));
    const auto score = score_from_number(*number);
    if (!score) return tl::unexpected(score.error());
    entry.score = *score;
    const auto result = parse_relative_result(text.result, position->side_to_move());
    if (!result) return tl::unexpected(result.error());
    entry.result = *result;
    return entry;
}

// Whether `entry` is the position that the game has arrived at. Counters count too: a repetition
// of an earlier game's position is not its continuation.
bool continues(const std::optional<chess::Position>& arrived, const Entry& entry) {
    return arrived && *arrived == entry.position;
}

class PlainSource final : public GameSource {
  public:
    PlainSource(std::string name, std::unique_ptr<ByteSource> source)
        : name_(std::move(name)), source_(std::move(source)), lines_(*source_) {}

    Result<bool> next(LabelledGame& game) override {
        game = LabelledGame{};
        std::optional<chess::Position> arrived;
        for (;;) {
            if (!pending_) {
                const auto more = read_entry();
                if (!more) return more;
                if (!*more) return !game.line.empty();
            }
            if (!game.line.empty() && !continues(arrived, *pending_)) return true;
            add(*pending_, game);
            arrived.reset();
            if (!pending_->move.is_none()) arrived = pending_->position.after(pending_->move);
            pending_.reset();
            if (!arrived) return true;
        }
    }
    const ImportReport& report() const override { return report_; }

  private:
    // Each entry labels the last position of the line and adds the one its move leads to.
    static void add(const Entry& entry, LabelledGame& game) {
        if (game.line.empty()) set_position(game, entry.position, Score());
        game.line.back().score = entry.score;
        game.result = entry.result;
        if (entry.move.is_none()) return;
        game.line.push_back(
            {.move = entry.move, .score = {}, .second_look = {}, .branch_count = 0});
    }

    // The next good entry into pending_; false at the end.
    Result<bool> read_entry() {
        EntryText text;
        std::string_view line;
        for (;;) {
            const auto more = lines_.next(line);
            if (!more || !*more) return more;
            line = trimmed(line);
            const std::size_t space = std::min(line.find(' '), line.size());
            if (line != "e") {
                text.set(line.substr(0, space), trimmed(line.substr(space)));
                continue;
            }
            ++report_.rows;
            auto entry = parse_entry(text);
            if (entry) {
                pending_ = *entry;
                return true;
            }
            report_.add_bad_row(fmt::format("{} line {}", name_, lines_.line_number()),
                                entry.error());
            text = {};
        }
    }

    std::string name_;
    std::unique_ptr<ByteSource> source_;
    LineReader lines_;
    std::optional<Entry> pending_;
    ImportReport report_;
};

}  // namespace

std::unique_ptr<GameSource> plain_source(std::string name, std::unique_ptr<ByteSource> source) {
    return std::make_unique<PlainSource>(std::move(name), std::move(source));
}

}  // namespace solis::data
