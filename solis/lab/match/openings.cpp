// Reading lists of openings and giving them to rounds.
#include "solis/lab/match/openings.h"

#include <numeric>
#include <set>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/chess/book.h"
#include "solis/chess/epd.h"
#include "solis/chess/game.h"
#include "solis/chess/pgn/reader.h"

namespace solis::lab {
namespace {

// A walk through a book that has been walked already is tried again so often.
constexpr int kWalkAttempts = 100;

std::uint64_t fnv1a(std::string_view bytes) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return hash;
}

// Adds openings that are new and can be played.
class Collector {
  public:
    Collector(std::vector<Opening>& openings, bool chess960)
        : openings_(openings), chess960_(chess960) {}

    // False if it is a transposition of one that is known.
    Result<bool> add(Opening opening) {
        chess::Game game(opening.start);
        if (game.start().needs_chess960_castling() && !chess960_) {
            return fail("the position needs Chess960 castling", "play the match with --chess960");
        }
        for (const chess::Move move : opening.moves) game.push(move);
        if (game.outcome(chess::Claims::Counted)) return fail("the game is over before it begins");
        if (!keys_.insert(game.position().key()).second) return false;
        openings_.push_back(std::move(opening));
        return true;
    }

  private:
    std::vector<Opening>& openings_;
    bool chess960_;
    std::set<std::uint64_t> keys_;
};

Result<void> read_epd(std::string_view text, Collector& collector) {
    const auto source = memory_source(text);
    LineReader lines(*source);
    std::string_view line;
    while (true) {
        const auto more = lines.next(line);
        if (!more) return tl::unexpected(more.error());
        if (!*more) return {};
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos || line[begin] == '#') continue;
        const auto record = chess::parse_epd(line.substr(begin));
        const auto where = [&] { return fmt::format("line {}", lines.line_number()); };
        if (!record) return fail_in(where(), record.error());
        if (auto added = collector.add({record->position, {}}); !added) {
            return fail_in(where(), added.error());
        }
    }
}

Result<void> read_pgn(std::string_view text, int plies, Collector& collector) {
    const auto source = memory_source(text);
    chess::PgnReader reader(*source);
    chess::PgnGame game;
    while (true) {
        const auto outcome = reader.next(game);
        if (!outcome) return tl::unexpected(outcome.error());
        if (*outcome == chess::PgnOutcome::End) return {};
        if (*outcome == chess::PgnOutcome::Broken) return tl::unexpected(reader.error());
        Opening opening{game.start(), {}};
        for (auto node = chess::first_move(game);
             node != chess::PgnNode::kNone &&
             opening.moves.size() < static_cast<std::size_t>(plies);
             node = game.node(node).next) {
            opening.moves.push_back(game.node(node).move);
        }
        if (auto added = collector.add(std::move(opening)); !added) {
            return fail_in(fmt::format("game at line {}", reader.line()), added.error());
        }
    }
}

// Moves by their weight until the book or the plies end.
Result<void> walk_book(const chess::OpeningBook& book, const OpeningOptions& options,
                       Collector& collector) {
    Rng rng(options.seed);
    int repeated = 0;
    for (std::uint64_t found = 0; found < options.rounds && repeated < kWalkAttempts;) {
        Opening opening;
        chess::Position position = opening.start;
        for (int ply = 0; ply < options.plies; ++ply) {
            const auto move = book.pick(position, rng);
            if (!move) break;
            opening.moves.push_back(*move);
            position = position.after(*move);
        }
        if (opening.moves.empty()) return fail("the book has no move for the start position");
        const auto added = collector.add(std::move(opening));
        if (!added) return tl::unexpected(added.error());
        repeated = *added ? 0 : repeated + 1;
        found += *added ? 1 : 0;
    }
    return {};
}

bool is_book(std::string_view file) { return file.ends_with(".bin") || file.ends_with(".bin.zst"); }

bool looks_like_pgn(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return false;
    if (text[begin] == '[' || text[begin] == '%' || text[begin] == ';') return true;
    // Every FEN begins with eight ranks.
    return text.substr(begin, text.find('\n', begin) - begin).find('/') == std::string_view::npos &&
           text[begin] != '#';
}

Result<void> read_openings(std::string bytes, const OpeningOptions& options, Collector& collector) {
    if (is_book(options.file)) {
        const auto book = chess::OpeningBook::from_bytes(std::move(bytes), options.file);
        if (!book) return tl::unexpected(book.error());
        return walk_book(*book, options, collector);
    }
    return looks_like_pgn(bytes) ? read_pgn(bytes, options.plies, collector)
                                 : read_epd(bytes, collector);
}

void shuffle(std::vector<std::uint32_t>& order, Rng& rng) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
}

std::vector<std::uint32_t> give_to_rounds(std::size_t openings, const OpeningOptions& options) {
    // Walks are random already, and how many there are depends on the rounds.
    const bool shuffled = options.shuffled && !is_book(options.file);
    std::vector<std::uint32_t> order(openings);
    std::iota(order.begin(), order.end(), 0u);
    Rng rng(options.seed);
    std::vector<std::uint32_t> of_round;
    while (of_round.size() < options.rounds) {
        if (shuffled) shuffle(order, rng);
        of_round.insert(of_round.end(), order.begin(), order.end());
    }
    of_round.resize(options.rounds);
    return of_round;
}

}  // namespace

Result<OpeningSet> load_openings(const OpeningOptions& options, bool chess960) {
    OpeningSet set;
    set.name = options.file.empty() ? "embedded" : options.file;
    std::string bytes(embedded_openings());
    if (!options.file.empty()) {
        auto read = read_file(options.file);
        if (!read) return tl::unexpected(read.error());
        bytes = std::move(*read);
    }
    set.content = fnv1a(bytes);
    Collector collector(set.openings, chess960);
    if (auto read = read_openings(std::move(bytes), options, collector); !read) {
        return fail_in(set.name, read.error());
    }
    if (set.openings.empty()) return fail(fmt::format("'{}' holds no opening", set.name));
    set.of_round = give_to_rounds(set.openings.size(), options);
    return set;
}

}  // namespace solis::lab
