// Any bytes as a book: refused, or every lookup gives legal moves only. The first line of the input
// is the position, the rest the book, whose first entries are also filed under that position.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/book.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"

namespace chess = solis::chess;

namespace {

constexpr std::size_t kEntrySize = 16;

// Sets the key of every entry, as no fuzzer guesses one.
std::string with_key(std::string bytes, std::uint64_t key) {
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += kEntrySize) {
        for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>(key >> (56 - 8 * i));
    }
    return bytes;
}

void look_up(const std::string& bytes, const chess::Position& position) {
    const auto book = chess::OpeningBook::from_bytes(bytes, "fuzz");
    if (!book) return;
    for (const chess::BookMove& entry : book->moves(position)) {
        if (!chess::is_legal(position, entry.move)) std::abort();
    }
    solis::Rng rng(solis::Seed{1});
    const auto best = book->best(position), picked = book->pick(position, rng);
    if (best.has_value() != picked.has_value()) std::abort();
}

}  // namespace

int book_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t line = std::min(input.find('\n'), input.size());
    const auto parsed = chess::parse_fen(input.substr(0, line));
    const chess::Position position = parsed ? *parsed : chess::Position::start();
    const std::string bytes(input.substr(std::min(line + 1, input.size())));
    look_up(bytes, position);
    look_up(with_key(bytes, position.key()), position);
    return 0;
}
