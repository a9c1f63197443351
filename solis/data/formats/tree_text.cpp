// Parsing and writing tree text.
#include "solis/data/formats/tree_text.h"

#include <charconv>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"

namespace solis::data {
namespace {

class LineParser {
  public:
    LineParser(std::string_view line, LabelledGame& game)
        : line_(line), game_(game), position_(game.start) {}

    [[nodiscard]] Result<void> run() {
        auto ok = parse();
        if (!ok) return fail_in(fmt::format("column {}", token_begin_ + 1), ok.error());
        return {};
    }

  private:
    [[nodiscard]] Result<void> parse() {
        game_.line.clear();
        game_.branches.clear();
        game_.result = GameResult::Unknown;
        if (auto ok = parse_start(); !ok) return ok;
        while (next_token()) {
            if (game_.line.size() + game_.branches.size() >= kMaxGamePositions ||
                game_.line.size() >= kMaxGamePlies) {
                return fail("the game is longer than a store takes");
            }
            auto ok = token_.front() == '(' ? parse_branch() : parse_played();
            if (!ok) return ok;
        }
        return {};
    }

    // Tokens are separated by any number of spaces. False at the end of the line.
    [[nodiscard]] bool next_token() {
        while (at_ < line_.size() && line_[at_] == ' ') ++at_;
        token_begin_ = at_;
        while (at_ < line_.size() && line_[at_] != ' ') ++at_;
        token_ = line_.substr(token_begin_, at_ - token_begin_);
        return !token_.empty();
    }

    [[nodiscard]] Result<void> parse_start() {
        constexpr int kFenFields = 6;
        for (int i = 0; i < kFenFields; ++i) {
            if (!next_token()) return fail("the line ends inside the FEN");
        }
        const auto start = chess::parse_fen(line_.substr(0, at_));
        if (!start) return tl::unexpected(start.error());
        game_.start = position_ = *start;
        game_.line.emplace_back();
        if (!next_token()) return fail("a value is missing after the FEN");
        return read_value(position_, game_.line.back().score);
    }

    [[nodiscard]] Result<void> parse_played() {
        const auto move = chess::parse_uci(position_, token_);
        if (!move) return tl::unexpected(move.error());
        position_ = position_.after(*move);
        game_.line.push_back({*move, {}, {}, 0});
        if (!next_token()) return {};  // the game ended here by a draw rule
        return read_value(position_, game_.line.back().score);
    }

    // The token is "(move"; a second move may follow, then "value)".
    [[nodiscard]] Result<void> parse_branch() {
        Branch branch;
        token_.remove_prefix(1);
        const auto first = chess::parse_uci(position_, token_);
        if (!first) return tl::unexpected(first.error());
        branch.first = *first;
        chess::Position child = position_.after(*first);
        if (!next_token()) return fail("a branch is not closed");
        if (token_.back() != ')') {
            const auto second = chess::parse_uci(child, token_);
            if (!second) return tl::unexpected(second.error());
            branch.second = *second;
            child = child.after(*second);
            if (!next_token()) return fail("a branch is not closed");
        }
        if (token_.back() != ')') return fail(fmt::format("')' expected after '{}'", token_));
        token_.remove_suffix(1);
        if (auto ok = read_value(child, branch.score); !ok) return ok;
        game_.branches.push_back(branch);
        ++game_.line.back().branch_count;
        return {};
    }

    [[nodiscard]] Result<void> read_value(const chess::Position& position, Score& score) const {
        if (token_ == "#" || token_ == "=") {
            const bool mate = token_ == "#";
            if (position.in_check() != mate || chess::has_legal_move(position)) {
                return fail(fmt::format("'{}' is given, but it is not {}", token_,
                                        mate ? "checkmate" : "stalemate"));
            }
            score = mate ? Score::mated_in(0) : Score::centipawns(0);
            return {};
        }
        if (token_ == "?") return {};
        std::int16_t bits = 0;
        const char* end = token_.data() + token_.size();
        const auto [stop, error] = std::from_chars(token_.data(), end, bits);
        if (error == std::errc() && stop == end) score = Score::from_bits(bits);
        if (score.is_none()) return fail(fmt::format("'{}' is no score", token_.substr(0, 20)));
        return {};
    }

    std::string_view line_;
    std::size_t at_ = 0;
    std::string_view token_;
    std::size_t token_begin_ = 0;
    LabelledGame& game_;
    chess::Position position_;
};

// Whether there are legal moves is asked only where the score allows the end of the game.
std::string value_text(const chess::Position& position, Score score) {
    if (score.is_none()) return "?";
    if (score == Score::mated_in(0)) {
        if (position.in_check() && !chess::has_legal_move(position)) return "#";
    } else if (score == Score::centipawns(0)) {
        if (!chess::has_legal_move(position) && !position.in_check()) return "=";
    }
    return fmt::format("{}", score.value());
}

std::string branch_text(const chess::Position& position, const Branch& branch) {
    const chess::Position child = position.after(branch.first);
    const std::string first = chess::to_uci(position, branch.first);
    if (branch.second.is_none()) {
        return fmt::format(" ({} {})", first, value_text(child, branch.score));
    }
    return fmt::format(" ({} {} {})", first, chess::to_uci(child, branch.second),
                       value_text(child.after(branch.second), branch.score));
}

}  // namespace

Result<void> parse_tree_text(std::string_view line, LabelledGame& game) {
    return LineParser(line, game).run();
}

std::string to_tree_text(const LabelledGame& game) {
    std::string text = chess::to_fen(game.start);
    chess::Position position = game.start;
    auto branch = game.branches.begin();
    for (const Ply& ply : game.line) {
        if (!ply.move.is_none()) {
            text += fmt::format(" {}", chess::to_uci(position, ply.move));
            position = position.after(ply.move);
        }
        text += fmt::format(" {}", value_text(position, ply.score));
        for (const auto end = branch + ply.branch_count; branch != end; ++branch) {
            text += branch_text(position, *branch);
        }
    }
    return text;
}

Result<bool> TreeTextSource::next(LabelledGame& game) {
    for (;;) {
        std::string_view line;
        const auto more = lines_.next(line);
        if (!more || !*more) return more;
        if (line.empty() || line.front() == '#') continue;
        ++report_.rows;
        const auto parsed = parse_tree_text(line, game);
        if (parsed) return true;
        report_.add_bad_row(fmt::format("line {}", lines_.line_number()), parsed.error());
    }
}

}  // namespace solis::data
