// Polyglot opening books: 16-byte entries sorted by position key.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/chess/position.h"

namespace solis::chess {

struct BookMove {
    Move move;
    std::uint16_t weight = 0;  // 0: known, but not to be played
    std::uint32_t learn = 0;   // meaning is up to the program that wrote the book

    friend bool operator==(const BookMove&, const BookMove&) = default;
};

// Holds the whole book in memory: even large ones are a few megabytes. Lookups only read, so
// threads may share a book.
class OpeningBook {
  public:
    // Refuses files that are empty, cut off or not sorted. zstd-compressed books are accepted.
    [[nodiscard]] static Result<OpeningBook> open(const std::string& path);
    // `name` is what errors call the book.
    [[nodiscard]] static Result<OpeningBook> from_bytes(std::string bytes, std::string_view name);

    [[nodiscard]] std::size_t size() const;
    // Legal moves only, heaviest first, equal weights in file order.
    [[nodiscard]] std::vector<BookMove> moves(const Position& position) const;
    // The heaviest move; none where the book has no move of positive weight.
    [[nodiscard]] std::optional<Move> best(const Position& position) const;
    // A move with probability proportional to its weight.
    [[nodiscard]] std::optional<Move> pick(const Position& position, Rng& rng) const;

  private:
    explicit OpeningBook(std::string bytes) : bytes_(std::move(bytes)) {}
    void collect(std::uint64_t key, const Position& position, std::vector<BookMove>& found) const;

    std::string bytes_;
};

}  // namespace solis::chess
