// PGN tokens -> games.
#include "solis/chess/pgn/reader.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "solis/base/utf8.h"
#include "solis/chess/fen.h"
#include "solis/chess/pgn/comment.h"
#include "solis/chess/san.h"

namespace solis::chess {
namespace {

// The rules we know go by many names: compared without case, blanks and hyphens.
bool is_known_variant(std::string_view name) {
    constexpr std::array<std::string_view, 10> kKnown{
        "",         "standard",     "chess",         "normal",    "fromposition",
        "chess960", "fischerandom", "fischerrandom", "freestyle", "chess960(fischerandom)"};
    std::string plain;
    for (const char c : name) {
        if (c == ' ' || c == '-') continue;
        plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return std::find(kKnown.begin(), kKnown.end(), plain) != kKnown.end();
}

}  // namespace

PgnReader::PgnReader(ByteSource& source, const PgnLimits& limits)
    : limits_(limits), lexer_(source, limits.text) {
    advance();
}

void PgnReader::break_at(std::uint64_t line, const Error& error) {
    if (broken_) return;
    broken_ = true;
    line_ = line;
    error_ = {fmt::format("line {}: {}", line, error.message), error.hint};
}

Result<PgnOutcome> PgnReader::next(PgnGame& game) {
    for (;;) {
        const PgnOutcome outcome = read_game(game);
        if (lexer_.failure()) return tl::unexpected(*lexer_.failure());
        // Comments and empty lines between games are not games.
        const bool nothing = game.tag_count() == 0 && game.nodes().size() == 1 && !has_result_;
        if (outcome != PgnOutcome::Game || !nothing) return outcome;
    }
}

PgnOutcome PgnReader::read_game(PgnGame& game) {
    game.clear();
    broken_ = results_differ_ = has_result_ = false;
    if (token_.kind == PgnTokenKind::End) return PgnOutcome::End;
    line_ = token_.line;
    read_tags(game);
    const std::uint64_t moves_line = token_.line;
    if (const auto start = start_position(game)) {
        game.set_start(*start);
    } else {
        break_at(moves_line, start.error());
    }
    read_moves(game);
    return broken_ ? PgnOutcome::Broken : PgnOutcome::Game;
}

void PgnReader::read_tags(PgnGame& game) {
    for (;; advance()) {
        if (token_.kind == PgnTokenKind::BadTag) {
            break_at(token_.line, {std::string(token_.text), {}});
            continue;
        }
        if (token_.kind != PgnTokenKind::Tag) return;
        // A game without moves ends where the tags of the next one begin.
        if (token_.name == "Event" && game.tag("Event")) return;
        add_tag(game);
    }
}

void PgnReader::add_tag(PgnGame& game) {
    if (game.tag_count() >= limits_.tags) {
        break_at(token_.line, {fmt::format("more than {} tags", limits_.tags), {}});
        return;
    }
    scratch_.clear();
    append_as_utf8(scratch_, token_.text);
    for (char& c : scratch_) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    tag_value_.clear();
    append_as_utf8(tag_value_, token_.name);
    // Latin-1 letters take two bytes: a name can grow past what would be read back.
    if (tag_value_.size() > kMaxPgnWord) {
        break_at(token_.line,
                 {fmt::format("a tag's name has more than {} bytes", kMaxPgnWord), {}});
        return;
    }
    game.add_tag(tag_value_, scratch_);
}

Result<Position> PgnReader::start_position(const PgnGame& game) const {
    if (const auto variant = game.tag("Variant"); variant && !is_known_variant(*variant)) {
        return fail(fmt::format("variant '{}' is not supported", *variant),
                    "standard chess and Chess960 are");
    }
    const auto fen = game.tag("FEN");
    if (!fen || game.tag("SetUp") == "0") return Position::start();
    return parse_fen(*fen);
}

void PgnReader::read_moves(PgnGame& game) {
    positions_[current_] = game.start();
    node_ = 0;
    line_is_empty_ = false;
    frames_.clear();
    for (; !broken_; advance()) {
        if (read_token(game) == Step::GameEnds) break;
    }
    finish(game);
    if (broken_) skip_to_next_game();
}

PgnReader::Step PgnReader::read_token(PgnGame& game) {
    switch (token_.kind) {
        case PgnTokenKind::Move:
            play(game);
            break;
        case PgnTokenKind::Comment:
            add_comment(game);
            break;
        case PgnTokenKind::Nag:
            add_nag(game);
            break;
        case PgnTokenKind::Open:
            open_variation();
            break;
        case PgnTokenKind::Close:
            close_variation(game);
            break;
        case PgnTokenKind::FirstMove:
            if (frames_.empty() && node_ != 0) return Step::GameEnds;
            break;
        case PgnTokenKind::Result:
            if (!frames_.empty()) break;  // some programs end variations with one
            has_result_ = true;
            game.set_result(token_.result);
            advance();
            return Step::GameEnds;
        case PgnTokenKind::Tag:
        case PgnTokenKind::End:
            return Step::GameEnds;
        case PgnTokenKind::Bad:
        case PgnTokenKind::BadTag:
            break_at(token_.line, {std::string(token_.text), {}});
            break;
    }
    return Step::Continue;
}

void PgnReader::play(PgnGame& game) {
    const Move move = match_san(at(), token_.text);
    if (move.is_none()) {
        const auto reason = parse_san(at(), token_.text);
        return break_at(token_.line, reason.error());
    }
    if (game.nodes().size() > limits_.moves) {
        return break_at(token_.line, {fmt::format("more than {} moves", limits_.moves), {}});
    }
    // The first move of a variation is played where the move it replaces was.
    const std::uint32_t parent = line_is_empty_ ? game.node(node_).parent : node_;
    node_ = game.add_move(parent, move);
    line_is_empty_ = false;
    // Built where it stays: an assignment would copy it once more.
    new (&positions_[current_ ^ 1]) Position(at().after(move));
    current_ ^= 1;
}

void PgnReader::open_variation() {
    if (node_ == 0 || line_is_empty_) {
        return break_at(token_.line, {"a variation begins before any move", {}});
    }
    if (frames_.size() >= limits_.depth) {
        return break_at(token_.line,
                        {fmt::format("variations nested more than {} deep", limits_.depth), {}});
    }
    frames_.push_back({before(), at(), node_, token_.line});
    positions_[current_] = before();
    line_is_empty_ = true;
}

void PgnReader::close_variation(PgnGame& game) {
    if (frames_.empty()) return break_at(token_.line, {"')' without '('", {}});
    const Frame& frame = frames_.back();
    if (line_is_empty_) game.reattach_pending_notes(frame.node);
    positions_[current_] = frame.after;
    positions_[current_ ^ 1] = frame.before;
    node_ = frame.node;
    line_is_empty_ = false;
    frames_.pop_back();
}

void PgnReader::add_nag(PgnGame& game) {
    if (game.notes().size() >= limits_.notes) {
        return break_at(token_.line, {fmt::format("more than {} notes", limits_.notes), {}});
    }
    PgnNote note;
    note.node = line_is_empty_ ? static_cast<std::uint32_t>(game.nodes().size()) : node_;
    note.before_move = line_is_empty_;
    note.kind = PgnNoteKind::Nag;
    note.value = token_.number;
    game.add_note(note);
}

void PgnReader::add_comment(PgnGame& game) {
    const std::size_t text_after = game.text_bytes() + token_.text.size();
    if (text_after > limits_.text || game.notes().size() >= limits_.notes) {
        return break_at(token_.line, {fmt::format("more than {} bytes of comments or {} notes",
                                                  limits_.text, limits_.notes),
                                      {}});
    }
    const std::uint32_t node =
        line_is_empty_ ? static_cast<std::uint32_t>(game.nodes().size()) : node_;
    add_comment_notes(game, node, line_is_empty_, token_.text, scratch_);
}

void PgnReader::finish(PgnGame& game) {
    if (!broken_ && !frames_.empty()) {
        break_at(token_.line, {fmt::format("the variation that begins in line {} is not closed",
                                           frames_.back().line),
                               {}});
    }
    if (line_is_empty_) game.reattach_pending_notes(node_);
    game.sort_notes();
    const auto tag = game.tag("Result");
    if (!tag) return;
    const GameResult in_tags = result_from_string(*tag);
    if (!has_result_) game.set_result(in_tags);
    results_differ_ = has_result_ && game.result() != in_tags;
    // "*" only says that the moves stop here.
    if (has_result_ && game.result() == GameResult::Unknown) game.set_result(in_tags);
}

void PgnReader::skip_to_next_game() {
    std::size_t depth = frames_.size();
    for (;; advance()) {
        switch (token_.kind) {
            case PgnTokenKind::Tag:
            case PgnTokenKind::End:
                return;
            case PgnTokenKind::Open:
                ++depth;
                break;
            case PgnTokenKind::Close:
                depth -= depth > 0 ? 1 : 0;
                break;
            case PgnTokenKind::Result:
                if (depth != 0) break;
                advance();
                return;
            default:
                break;
        }
    }
}

}  // namespace solis::chess
