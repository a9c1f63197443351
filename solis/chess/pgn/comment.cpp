// Commands in comments.
#include "solis/chess/pgn/comment.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/base/utf8.h"

namespace solis::chess {
namespace {

// Reads up to `most` digits off the front; false if there is none or one too many.
bool take_number(std::string_view& text, std::size_t most, int& value) {
    std::size_t digits = 0;
    value = 0;
    while (digits < text.size() && is_digit(text[digits])) {
        if (++digits > most) return false;
        value = 10 * value + (text[digits - 1] - '0');
    }
    text.remove_prefix(digits);
    return digits != 0;
}

bool take_char(std::string_view& text, char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

// The digits after a point in units of 1/scale, rounded to nearest.
int take_fraction(std::string_view& text, int scale) {
    int value = 0;
    for (int unit = scale / 10; !text.empty() && is_digit(text.front()); unit /= 10) {
        if (unit != 0) value += unit * (text.front() - '0');
        text.remove_prefix(1);
    }
    return value;
}

// "0.17", "-3", "#-4", each with an optional ",depth".
bool read_eval(std::string_view text, PgnNote& note) {
    const bool mate = take_char(text, '#');
    const bool negative = take_char(text, '-');
    if (!negative) (void)take_char(text, '+');
    int value = 0;
    if (!take_number(text, 5, value)) return false;
    if (!mate) {
        value *= 100;
        if (take_char(text, '.')) value += (take_fraction(text, 1000) + 5) / 10;
        constexpr int kMostCentipawns = 9'999'999;
        if (value > kMostCentipawns) return false;
    }
    note.kind = mate ? PgnNoteKind::Mate : PgnNoteKind::Centipawns;
    note.value = negative ? -value : value;
    if (take_char(text, ',')) {
        int depth = 0;
        if (!take_number(text, 4, depth)) return false;
        note.depth = static_cast<std::uint16_t>(depth);
    }
    return text.empty();
}

// "1:02:03" or "0:00:03.25" in milliseconds.
bool read_time(std::string_view text, std::int32_t& milliseconds) {
    int hours = 0, minutes = 0, seconds = 0;
    const bool well_formed = take_number(text, 2, hours) && take_char(text, ':') &&
                             take_number(text, 2, minutes) && take_char(text, ':') &&
                             take_number(text, 2, seconds);
    if (!well_formed || minutes > 59 || seconds > 59) return false;
    milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000;
    if (take_char(text, '.')) milliseconds += take_fraction(text, 1000);
    return text.empty();
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

// `command` is what stands between "[%" and "]".
bool read_command(std::string_view command, PgnNote& note) {
    const std::size_t blank = command.find(' ');
    if (blank == std::string_view::npos) return false;
    const std::string_view name = command.substr(0, blank);
    const std::string_view value = trimmed(command.substr(blank));
    if (name == "eval") return read_eval(value, note);
    if (name == "clk") note.kind = PgnNoteKind::Clock;
    if (name == "emt") note.kind = PgnNoteKind::Elapsed;
    return (name == "clk" || name == "emt") && read_time(value, note.value);
}

// Turns the text of a comment as it stands in the file into one line of UTF-8.
void clean(std::string_view raw, std::string& text) {
    text.clear();
    append_as_utf8(text, raw);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
        text[kept++] = control ? ' ' : c == '}' ? ')' : c;
    }
    text.resize(kept);
}

}  // namespace

void add_comment_notes(PgnGame& game, std::uint32_t node, bool before_move, std::string_view raw,
                       std::string& scratch) {
    clean(raw, scratch);
    const std::string_view text = scratch;
    std::size_t kept = 0;        // text that is no command moves to the front of `scratch`
    std::size_t plain_from = 0;  // where it begins after the last command
    const auto keep_plain = [&](std::size_t end) {
        const std::string_view plain = trimmed(text.substr(plain_from, end - plain_from));
        if (!plain.empty() && kept != 0) scratch[kept++] = ' ';
        std::copy(plain.begin(), plain.end(), scratch.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += plain.size();
    };
    std::size_t open = 0, close = 0;
    // The first ']' ends what "[%" begins: nothing nested, so cutting out never makes a command.
    while ((open = text.find("[%", close)) != std::string_view::npos) {
        close = text.find(']', open);
        if (close == std::string_view::npos) break;
        PgnNote note;
        note.node = node;
        note.before_move = before_move;
        if (!read_command(text.substr(open + 2, close - open - 2), note)) continue;
        game.add_note(note);
        keep_plain(open);
        plain_from = close + 1;
    }
    keep_plain(text.size());
    if (kept != 0) game.add_comment(node, text.substr(0, kept), before_move);
}

void append_command(std::string& text, const PgnNote& note) {
    const auto out = std::back_inserter(text);
    const int value = note.value, magnitude = std::abs(value);
    switch (note.kind) {
        case PgnNoteKind::Centipawns:
            fmt::format_to(out, "[%eval {}{}.{:02}", value < 0 ? "-" : "", magnitude / 100,
                           magnitude % 100);
            break;
        case PgnNoteKind::Mate:
            fmt::format_to(out, "[%eval #{}", value);
            break;
        case PgnNoteKind::Clock:
        case PgnNoteKind::Elapsed:
            fmt::format_to(out, "[%{} {}:{:02}:{:02}",
                           note.kind == PgnNoteKind::Clock ? "clk" : "emt", value / 3600000,
                           value / 60000 % 60, value / 1000 % 60);
            if (value % 1000 != 0) {
                fmt::format_to(out, ".{:03}", value % 1000);
                while (text.back() == '0') text.pop_back();
            }
            break;
        default:
            return;
    }
    if (note.depth != 0) fmt::format_to(out, ",{}", note.depth);
    text += ']';
}

}  // namespace solis::chess
