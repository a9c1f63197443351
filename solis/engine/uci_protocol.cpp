// UCI text in both directions.
#include "solis/engine/uci_protocol.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/engine/words.h"

namespace solis::engine {
namespace {

// The words up to the next keyword of an option line; names and values may contain spaces.
std::string_view take_phrase(std::string_view& rest) {
    constexpr std::array<std::string_view, 6> kKeywords{"name", "type", "default",
                                                        "min",  "max",  "var"};
    const std::string_view whole = rest;
    std::size_t end = 0;
    while (true) {
        std::string_view after = rest;
        const std::string_view word = next_word(after);
        if (word.empty() || std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end())
            break;
        end = static_cast<std::size_t>(word.data() + word.size() - whole.data());
        rest = after;
    }
    return trimmed(whole.substr(0, end));
}

std::optional<OptionType> option_type(std::string_view word) {
    if (word == "check") return OptionType::Check;
    if (word == "spin") return OptionType::Spin;
    if (word == "combo") return OptionType::Combo;
    if (word == "button") return OptionType::Button;
    if (word == "string") return OptionType::String;
    return std::nullopt;
}

// After the word "score": "cp 17", "mate -3", with "lowerbound" or "upperbound" behind.
std::optional<UciScore> take_score(std::string_view& rest) {
    UciScore score;
    const std::string_view unit = next_word(rest);
    if (unit != "cp" && unit != "mate") return std::nullopt;
    score.is_mate = unit == "mate";
    if (!read_number(next_word(rest), score.value)) return std::nullopt;
    std::string_view after = rest;
    const std::string_view bound = next_word(after);
    if (bound == "lowerbound") score.bound = ScoreBound::Lower;
    if (bound == "upperbound") score.bound = ScoreBound::Upper;
    if (score.bound != ScoreBound::Exact) rest = after;
    return score;
}

// False for a word that is no number field.
bool take_number_field(std::string_view word, std::string_view& rest, SearchInfo& info) {
    if (word == "depth") return read_number(next_word(rest), info.depth), true;
    if (word == "seldepth") return read_number(next_word(rest), info.seldepth), true;
    if (word == "multipv") return read_number(next_word(rest), info.multipv), true;
    if (word == "nodes") return read_number(next_word(rest), info.nodes), true;
    if (word == "nps") return read_number(next_word(rest), info.nps), true;
    if (word == "time") return read_number(next_word(rest), info.time_ms), true;
    if (word == "tbhits") return read_number(next_word(rest), info.tbhits), true;
    if (word == "hashfull") return read_number(next_word(rest), info.hashfull), true;
    return false;
}

void append_clock(std::string& out, const planner::ClockTime& clock) {
    fmt::format_to(std::back_inserter(out), " wtime {} btime {} winc {} binc {}",
                   clock.white.count(), clock.black.count(), clock.white_increment.count(),
                   clock.black_increment.count());
    if (clock.moves_to_go > 0) {
        fmt::format_to(std::back_inserter(out), " movestogo {}", clock.moves_to_go);
    }
}

}  // namespace

Result<void> UciOption::check(std::string_view value) const {
    long long number = 0;
    switch (type) {
        case OptionType::Check:
            if (value == "true" || value == "false") return {};
            return fail(fmt::format("option '{}' is 'true' or 'false', not '{}'", name, value));
        case OptionType::Spin:
            if (read_number(value, number) && number >= min && number <= max) return {};
            return fail(fmt::format("option '{}' is a number from {} to {}, not '{}'", name, min,
                                    max, value));
        case OptionType::Combo:
            if (std::find(choices.begin(), choices.end(), value) != choices.end()) return {};
            return fail(fmt::format("option '{}' is one of {}, not '{}'", name,
                                    fmt::join(choices, ", "), value));
        case OptionType::Button:
        case OptionType::String:
            break;
    }
    return {};
}

std::optional<UciOption> parse_option(std::string_view line) {
    if (next_word(line) != "option") return std::nullopt;
    UciOption option;
    bool has_type = false;
    for (std::string_view key = next_word(line); !key.empty(); key = next_word(line)) {
        const std::string_view phrase = take_phrase(line);
        if (key == "name") option.name = phrase;
        if (key == "default") option.default_value = phrase == "<empty>" ? "" : phrase;
        if (key == "min") read_number(phrase, option.min);
        if (key == "max") read_number(phrase, option.max);
        if (key == "var") option.choices.emplace_back(phrase);
        if (key == "type") {
            const auto type = option_type(phrase);
            if (!type) return std::nullopt;
            option.type = *type;
            has_type = true;
        }
    }
    if (option.name.empty() || !has_type) return std::nullopt;
    return option;
}

std::optional<SearchInfo> parse_info(std::string_view line) {
    if (next_word(line) != "info") return std::nullopt;
    SearchInfo info;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
        if (word == "string") break;  // the rest is free text
        if (word == "score") {
            info.score = take_score(line);
        } else if (word == "pv") {
            info.pv = trimmed(line);
            break;
        } else {
            take_number_field(word, line, info);
        }
    }
    return info;
}

std::optional<BestMove> parse_bestmove(std::string_view line) {
    if (next_word(line) != "bestmove") return std::nullopt;
    BestMove best{next_word(line), {}};
    if (best.move.empty()) return std::nullopt;
    if (next_word(line) == "ponder") best.ponder = next_word(line);
    return best;
}

void append_go(std::string& out, const planner::Limits& limits) {
    const auto add = [&](const char* name, auto number) {
        fmt::format_to(std::back_inserter(out), " {} {}", name, number);
    };
    out += "go";
    if (limits.ponder) out += " ponder";
    if (limits.clock) append_clock(out, *limits.clock);
    if (limits.depth) add("depth", *limits.depth);
    if (limits.nodes) add("nodes", *limits.nodes);
    if (limits.mate) add("mate", *limits.mate);
    if (limits.movetime) add("movetime", limits.movetime->count());
    if (limits.infinite) out += " infinite";
    out += '\n';
}

void append_position(std::string& out, const chess::Position& start,
                     std::span<const chess::Move> moves, chess::CastlingNotation castling) {
    if (start == chess::Position::start()) {
        out += "position startpos";
    } else {
        out += "position fen ";
        out += chess::to_fen(start);
    }
    if (!moves.empty()) out += " moves";
    chess::Position position = start;
    for (const chess::Move move : moves) {
        out += ' ';
        out += chess::to_uci(position, move, castling);
        position = position.after(move);
    }
    out += '\n';
}

}  // namespace solis::engine
