// Games -> PGN.
#include "solis/chess/pgn/writer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/chess/pgn/comment.h"
#include "solis/chess/san.h"

namespace solis::chess {
namespace {

constexpr std::array<std::string_view, 7> kRoster{"Event", "Site",  "Date",  "Round",
                                                  "White", "Black", "Result"};
constexpr std::size_t kColumns = 80;

bool in_roster(std::string_view name) {
    return std::find(kRoster.begin(), kRoster.end(), name) != kRoster.end();
}

void append_tag(std::string& text, std::string_view name, std::string_view value) {
    text += '[';
    text += name;
    text += " \"";
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    text += "\"]\n";
}

void append_tags(std::string& text, const PgnGame& game) {
    for (const std::string_view name : kRoster) {
        if (name == "Result") {
            append_tag(text, name, to_string(game.result()));
        } else {
            append_tag(text, name, game.tag(name).value_or(name == "Date" ? "????.??.??" : "?"));
        }
    }
    const std::string fen = game.start() == Position::start() ? "" : to_fen(game.start());
    for (std::size_t i = 0; i < game.tag_count(); ++i) {
        const PgnGame::Tag tag = game.tag(i);
        if (in_roster(tag.name)) continue;
        const bool derived = tag.name == "FEN" || tag.name == "SetUp";
        if (derived && fen.empty()) continue;
        append_tag(text, tag.name, tag.name == "FEN" ? fen : derived ? "1" : tag.value);
    }
    if (game.start().needs_chess960_castling() && !game.tag("Variant")) {
        append_tag(text, "Variant", "Chess960");
    }
    if (fen.empty()) return;
    if (!game.tag("SetUp")) append_tag(text, "SetUp", "1");
    if (!game.tag("FEN")) append_tag(text, "FEN", fen);
}

// Fills lines word by word.
class MoveText {
  public:
    MoveText(std::string& text, const PgnGame& game) : text_(text), game_(game) {}

    void write() {
        number_due_ = true;
        notes(0, false);
        if (const std::uint32_t first = game_.node(0).next; first != PgnNode::kNone) {
            line(first, game_.start());
        }
        word(to_string(game_.result()));
        text_ += "\n\n";
    }

  private:
    void break_line() {
        text_ += '\n';
        column_ = 0;
    }

    void word(std::string_view word) {
        const std::size_t width = prefix_.size() + word.size();
        if (column_ != 0 && column_ + 1 + width > kColumns) break_line();
        if (column_ != 0) {
            text_ += ' ';
            ++column_;
        }
        text_ += prefix_;
        text_ += word;
        column_ += width;
        prefix_.clear();
    }

    // Directly after the last word, if the line has room.
    void attach(char c) {
        if (column_ >= kColumns) break_line();
        text_ += c;
        ++column_;
    }

    // From the move `at`, played in `position`, to the end of its line.
    void line(std::uint32_t at, Position position) {
        number_due_ = true;
        for (; at != PgnNode::kNone; at = game_.node(at).next) {
            const PgnNode& node = game_.node(at);
            notes(at, true);
            number(position);
            scratch_.clear();
            append_san(scratch_, position, node.move);
            word(scratch_);
            notes(at, false);
            if (game_.node(node.parent).next == at) variations(node.alternative, position);
            position = position.after(node.move);
        }
    }

    void variations(std::uint32_t first, const Position& position) {
        for (std::uint32_t at = first; at != PgnNode::kNone; at = game_.node(at).alternative) {
            prefix_ += '(';
            line(at, position);
            attach(')');
            number_due_ = true;
        }
    }

    void number(const Position& position) {
        const bool white = position.side_to_move() == Color::White;
        if (white || number_due_) {
            char digits[16];
            const auto end =
                fmt::format_to(digits, "{}{}", position.fullmove_number(), white ? "." : "...");
            word({digits, static_cast<std::size_t>(end - digits)});
        }
        number_due_ = false;
    }

    // Commands and the text after them share one pair of braces, as they were read.
    void notes(std::uint32_t node, bool before_move) {
        bool open = false;
        const auto close = [&] {
            if (open) attach('}');
            open = false;
        };
        for (const PgnNote& note : game_.notes_of(node)) {
            if (note.before_move != before_move) continue;
            number_due_ = true;
            if (note.kind == PgnNoteKind::Nag) {
                close();
                word(fmt::format("${}", note.value));
                continue;
            }
            // In its own braces, text that looks like a tag cannot begin a line.
            if (game_.text_of(note).starts_with('[')) close();
            if (!open) prefix_ += '{';
            open = true;
            if (note.kind == PgnNoteKind::Comment) {
                comment(game_.text_of(note));
                close();
            } else {
                command(note);
            }
        }
        close();
    }

    void command(const PgnNote& note) {
        scratch_.clear();
        append_command(scratch_, note);
        // In one piece: programs look for "[%eval 0.17]" in a line.
        word(scratch_);
    }

    // Whether `text` ends inside a command such as "[%csl Ra1".
    [[nodiscard]] static bool ends_in_command(std::string_view text) {
        const std::size_t begin = text.rfind("[%");
        return begin != std::string_view::npos && text.find(']', begin) == std::string_view::npos;
    }

    // A line break inside a comment reads as a blank, so lines may break at blanks only.
    void comment(std::string_view text) {
        while (!text.empty()) {
            // Blanks after the first belong to the next word. A word that looks like a tag must
            // not begin a line, and a command is not broken.
            std::size_t end = text.find(' ', text.find_first_not_of(' '));
            while (end != std::string_view::npos &&
                   (text.substr(end + 1).starts_with('[') ||
                    (ends_in_command(text.substr(0, end)) &&
                     text.find(']', end) != std::string_view::npos))) {
                end = text.find(' ', end + 1);
            }
            end = std::min(end, text.size());
            scratch_ = text.substr(0, end);
            std::replace(scratch_.begin(), scratch_.end(), '}', ')');
            word(scratch_);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    std::string& text_;
    const PgnGame& game_;
    std::size_t column_ = 0;
    std::string prefix_;  // waits for the next word: "(", "{"
    std::string scratch_;
    bool number_due_ = true;
};

}  // namespace

void append_pgn(std::string& text, const PgnGame& game) {
    append_tags(text, game);
    text += '\n';
    MoveText(text, game).write();
}

std::string to_pgn(const PgnGame& game) {
    std::string text;
    append_pgn(text, game);
    return text;
}

}  // namespace solis::chess
