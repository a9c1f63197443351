// Reading Polyglot books.
#include "solis/chess/book.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/chess/uci_move.h"
#include "solis/chess/zobrist.h"

namespace solis::chess {
namespace {

constexpr std::size_t kEntrySize = 16;

// Big-endian, as everything in the file.
std::uint64_t read_number(const std::string& bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

std::uint64_t key_at(const std::string& bytes, std::size_t entry) {
    return read_number(bytes, entry * kEntrySize, 8);
}

// To (bits 0-5), from (6-11), promotion (12-14). Castling is e1h1, in some books e1g1. No move if
// the bits are not legal here, be it for a damaged book or for two positions with one key.
std::optional<Move> decode_move(std::uint64_t bits, const Position& position) {
    constexpr std::string_view kPromotions = " nbrq";
    const std::uint64_t promotion = bits >> 12 & 7;
    if (promotion >= kPromotions.size()) return std::nullopt;
    std::string text = to_string(square_at(static_cast<int>(bits >> 6 & 63))) +
                       to_string(square_at(static_cast<int>(bits & 63)));
    if (promotion != 0) text += kPromotions[promotion];
    const auto move = parse_uci(position, text);
    if (!move) return std::nullopt;
    return *move;
}

// Keys under which Polyglot may file a position that has no legal en-passant capture. It hashes the
// file of a double step next to an enemy pawn even if that pawn is pinned and may not capture; a
// Position does not remember such a step, so these are all the steps it could have been.
std::vector<std::uint64_t> keys_with_pinned_capturer(const Position& position) {
    std::vector<std::uint64_t> keys;
    if (position.en_passant() != Square::None) return keys;
    const Color us = position.side_to_move();
    const int rank = us == Color::White ? 4 : 3;
    for (int file = 0; file < 8; ++file) {
        const Square pawn = make_square(file, rank);
        const Square passed = offset(pawn, forward(us)), origin = offset(passed, forward(us));
        const bool may_have_stepped = position.piece_on(pawn) == make_piece(~us, PieceType::Pawn) &&
                                      position.piece_on(passed) == Piece::None &&
                                      position.piece_on(origin) == Piece::None;
        if (!may_have_stepped) continue;
        const Bitboard capturers = pawn_attacks(~us, passed) & position.pieces(us, PieceType::Pawn);
        if (capturers != 0) keys.push_back(position.key() ^ zobrist::en_passant(file));
    }
    return keys;
}

}  // namespace

Result<OpeningBook> OpeningBook::open(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return fail(fmt::format("book '{}' is a folder", path), "give a Polyglot .bin file");
    }
    auto source = open_source(path);
    if (!source) return fail_in("book", source.error());
    auto bytes = read_all(**source);
    if (!bytes) return fail_in("book", bytes.error());
    return from_bytes(std::move(*bytes), path);
}

Result<OpeningBook> OpeningBook::from_bytes(std::string bytes, std::string_view name) {
    if (bytes.empty()) return fail(fmt::format("book '{}' is empty", name));
    if (bytes.size() % kEntrySize != 0) {
        return fail(fmt::format("book '{}' has {} bytes, which is no multiple of {}", name,
                                bytes.size(), kEntrySize),
                    "the file is cut off or not a Polyglot book");
    }
    OpeningBook book(std::move(bytes));
    for (std::size_t entry = 1; entry < book.size(); ++entry) {
        if (key_at(book.bytes_, entry) < key_at(book.bytes_, entry - 1)) {
            return fail(fmt::format("book '{}': entry {} of {} is out of order", name, entry + 1,
                                    book.size()),
                        "entries must be sorted by key; is this a Polyglot book?");
        }
    }
    return book;
}

std::size_t OpeningBook::size() const { return bytes_.size() / kEntrySize; }

void OpeningBook::collect(std::uint64_t key, const Position& position,
                          std::vector<BookMove>& found) const {
    std::size_t low = 0, high = size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (key_at(bytes_, middle) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < size() && key_at(bytes_, low) == key; ++low) {
        const std::size_t at = low * kEntrySize;
        const auto move = decode_move(read_number(bytes_, at + 8, 2), position);
        if (!move) continue;
        found.push_back({*move, static_cast<std::uint16_t>(read_number(bytes_, at + 10, 2)),
                         static_cast<std::uint32_t>(read_number(bytes_, at + 12, 4))});
    }
}

std::vector<BookMove> OpeningBook::moves(const Position& position) const {
    std::vector<BookMove> found;
    collect(position.key(), position, found);
    if (found.empty()) {
        for (const std::uint64_t key : keys_with_pinned_capturer(position)) {
            collect(key, position, found);
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const BookMove& a, const BookMove& b) { return a.weight > b.weight; });
    return found;
}

std::optional<Move> OpeningBook::best(const Position& position) const {
    const std::vector<BookMove> found = moves(position);
    if (found.empty() || found.front().weight == 0) return std::nullopt;
    return found.front().move;
}

std::optional<Move> OpeningBook::pick(const Position& position, Rng& rng) const {
    const std::vector<BookMove> found = moves(position);
    std::uint64_t total = 0;
    for (const BookMove& candidate : found) total += candidate.weight;
    if (total == 0) return std::nullopt;
    std::uint64_t ticket = rng.below(total);
    for (const BookMove& candidate : found) {
        if (ticket < candidate.weight) return candidate.move;
        ticket -= candidate.weight;
    }
    return std::nullopt;
}

}  // namespace solis::chess
