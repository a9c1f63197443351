// Parsing of a GUI's commands. Every part of a line may be missing or wrong.
#include "solis/engine/uci/gui_commands.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/engine/words.h"

namespace solis::engine {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, 13> kGoWords{
    "searchmoves", "ponder", "wtime", "btime", "winc",     "binc",    "movestogo",
    "depth",       "nodes",  "mate",  "perft", "movetime", "infinite"};

// Longer times are cut to a year, in milliseconds, so that sums of times cannot overflow.
constexpr milliseconds::rep kLongest = 1'000LL * 3600 * 24 * 365;

bool is_go_word(std::string_view word) {
    return std::find(kGoWords.begin(), kGoWords.end(), word) != kGoWords.end();
}

class GoParser {
  public:
    GoParser(std::string_view arguments, const chess::Position& position)
        : rest_(arguments), position_(position) {}

    GoCommand parse() {
        for (std::string_view word = next_word(rest_); !word.empty(); word = next_word(rest_)) {
            if (!take_flag(word) && !take_limit(word) && !take_clock(word)) {
                problem("unknown word {} ignored", word);
            }
        }
        return std::move(go_);
    }

  private:
    void problem(const char* text, std::string_view word) {
        // A line of a megabyte could hold a hundred thousand problems; ten are enough to read.
        constexpr std::size_t kMost = 10;
        if (go_.problems.size() < kMost) {
            go_.problems.push_back("go: " + fmt::format(fmt::runtime(text), in_quotes(word)));
        }
    }

    bool take_flag(std::string_view word) {
        if (word == "infinite") return go_.limits.infinite = true;
        if (word == "ponder") return go_.limits.ponder = true;
        if (word != "searchmoves") return false;
        take_search_moves();
        return true;
    }

    void take_search_moves() {
        go_.restricted = true;
        for (;;) {
            std::string_view after = rest_;
            const std::string_view word = next_word(after);
            if (word.empty() || is_go_word(word)) return;
            rest_ = after;
            const auto move = chess::parse_uci(position_, word);
            if (!move) {
                problem("searchmoves: {} is no legal move here, ignored", word);
                continue;
            }
            auto& moves = go_.limits.search_moves;
            if (std::find(moves.begin(), moves.end(), *move) == moves.end()) moves.push_back(*move);
        }
    }

    bool take_limit(std::string_view word) {
        if (word == "depth") return take_number(word, 1, go_.limits.depth);
        if (word == "nodes") return take_number(word, 1, go_.limits.nodes);
        if (word == "mate") return take_number(word, 1, go_.limits.mate);
        if (word == "perft") return take_number(word, 1, go_.perft);
        if (word != "movetime") return false;
        std::optional<milliseconds::rep> time;
        take_number(word, 1, time);
        if (time) go_.limits.movetime = milliseconds(std::min(*time, kLongest));
        return true;
    }

    bool take_clock(std::string_view word) {
        constexpr std::array<std::string_view, 5> kWords{"wtime", "btime", "winc", "binc",
                                                         "movestogo"};
        if (std::find(kWords.begin(), kWords.end(), word) == kWords.end()) return false;
        std::optional<milliseconds::rep> number;
        take_number(word, 0, number);
        if (!number) return true;
        if (!go_.limits.clock) go_.limits.clock = planner::ClockTime{};
        planner::ClockTime& clock = *go_.limits.clock;
        const milliseconds time(std::min(*number, kLongest));
        if (word == "wtime") clock.white = time;
        if (word == "btime") clock.black = time;
        if (word == "winc") clock.white_increment = time;
        if (word == "binc") clock.black_increment = time;
        if (word == "movestogo") {
            clock.moves_to_go = static_cast<int>(std::min<milliseconds::rep>(*number, 1000));
        }
        return true;
    }

    // Always true: the word was one of go's. A word that is a keyword itself is not eaten.
    template <class T>
    bool take_number(std::string_view name, int least, std::optional<T>& target) {
        std::string_view after = rest_;
        const std::string_view word = next_word(after);
        if (word.empty() || is_go_word(word)) {
            problem("{} lacks its number, ignored", name);
            return true;
        }
        rest_ = after;
        std::int64_t number = 0;
        if (!read_number(word, number)) {
            problem("{} is no number, ignored", word);
            return true;
        }
        const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(
            std::numeric_limits<T>::max(), std::numeric_limits<std::int64_t>::max()));
        target = static_cast<T>(std::clamp<std::int64_t>(number, least, most));
        return true;
    }

    std::string_view rest_;
    const chess::Position& position_;
    GoCommand go_;
};

// Takes the FEN up to the word "moves".
std::string take_fen(std::string_view& rest) {
    std::string fen;
    for (;;) {
        std::string_view after = rest;
        const std::string_view word = next_word(after);
        if (word.empty() || word == "moves") return fen;
        rest = after;
        if (!fen.empty()) fen += ' ';
        fen += word;
    }
}

Result<chess::Game> take_start(std::string_view& rest) {
    const std::string_view kind = next_word(rest);
    if (kind == "startpos") return chess::Game();
    if (kind != "fen") {
        return fail(fmt::format("position: {} is neither 'startpos' nor 'fen'", in_quotes(kind)),
                    "position startpos|fen FEN [moves MOVE ...]");
    }
    const auto start = chess::parse_fen(take_fen(rest));
    if (!start) return fail_in("position", start.error());
    return chess::Game(*start);
}

}  // namespace

GoCommand parse_go(std::string_view arguments, const chess::Position& position) {
    return GoParser(arguments, position).parse();
}

Result<chess::Game> parse_position(std::string_view arguments) {
    auto game = take_start(arguments);
    if (!game) return game;
    const std::string_view word = next_word(arguments);
    if (word.empty()) return game;
    if (word != "moves") {
        return fail(
            fmt::format("position: {} stands where only 'moves' can follow", in_quotes(word)));
    }
    std::size_t number = 0;
    for (std::string_view text = next_word(arguments); !text.empty(); text = next_word(arguments)) {
        ++number;
        const auto move = chess::parse_uci(game->position(), text);
        if (!move) return fail_in(fmt::format("position: move {}", number), move.error());
        game->push(*move);
    }
    return game;
}

std::optional<SetOption> parse_setoption(std::string_view arguments) {
    if (next_word(arguments) != "name") return std::nullopt;
    const std::string_view phrase = arguments;
    std::size_t name_end = 0;
    SetOption option;
    for (std::string_view word = next_word(arguments); !word.empty(); word = next_word(arguments)) {
        if (word == "value") {
            option.value = trimmed(arguments);
            break;
        }
        name_end = static_cast<std::size_t>(word.data() + word.size() - phrase.data());
    }
    option.name = trimmed(phrase.substr(0, name_end));
    if (option.name.empty()) return std::nullopt;
    return option;
}

}  // namespace solis::engine
