// Packed positions: occupancy, a nibble per piece, flags, counters.
#include "solis/data/formats/packed_position.h"

#include <algorithm>
#include <array>

namespace solis::data {
namespace {

constexpr chess::Bitboard kCorners = chess::bit(chess::Square::A1) | chess::bit(chess::Square::H1) |
                                     chess::bit(chess::Square::A8) | chess::bit(chess::Square::H8);
// Bits of the flag byte.
constexpr unsigned kBlackToMove = 1;
constexpr unsigned kHasEnPassant = 2;
constexpr unsigned kInnerRooks = 4;  // castling rooks off the corners (Chess960)
constexpr int kCornerShift = 4;      // four bits: a1, h1, a8, h8
constexpr std::array kCornerSquares{chess::Square::A1, chess::Square::H1, chess::Square::A8,
                                    chess::Square::H8};

unsigned flags_of(const chess::Position& position) {
    unsigned flags = position.side_to_move() == chess::Color::Black ? kBlackToMove : 0;
    if (position.en_passant() != chess::Square::None) flags |= kHasEnPassant;
    if (position.castling_rooks() & ~kCorners) flags |= kInnerRooks;
    for (std::size_t i = 0; i < kCornerSquares.size(); ++i) {
        if (chess::contains(position.castling_rooks(), kCornerSquares[i])) {
            flags |= 1U << (kCornerShift + static_cast<int>(i));
        }
    }
    return flags;
}

chess::Piece piece_from_nibble(unsigned nibble) {
    const bool known = (nibble & 7) <= static_cast<unsigned>(index(chess::PieceType::King));
    return known ? static_cast<chess::Piece>(nibble) : chess::Piece::None;
}

}  // namespace

void append_packed_without_counters(Bytes& out, const chess::Position& position) {
    append_little_endian(out, position.pieces());
    unsigned pending = 0;
    bool half = false;
    for (chess::Bitboard rest = position.pieces(); rest != 0; half = !half) {
        const auto nibble =
            static_cast<unsigned>(chess::index(position.piece_on(chess::pop_lowest(rest))));
        if (half) {
            out.push_back(static_cast<std::uint8_t>(pending | nibble << 4));
        } else {
            pending = nibble;
        }
    }
    if (half) out.push_back(static_cast<std::uint8_t>(pending));
    const unsigned flags = flags_of(position);
    out.push_back(static_cast<std::uint8_t>(flags));
    if (flags & kInnerRooks) {
        out.push_back(static_cast<std::uint8_t>(position.castling_rooks()));
        out.push_back(static_cast<std::uint8_t>(position.castling_rooks() >> 56));
    }
    if (flags & kHasEnPassant) {
        out.push_back(static_cast<std::uint8_t>(chess::index(position.en_passant())));
    }
}

void append_packed(Bytes& out, const chess::Position& position) {
    append_packed_without_counters(out, position);
    append_varint(out, static_cast<std::uint64_t>(position.halfmove_clock()));
    append_varint(out, static_cast<std::uint64_t>(position.fullmove_number()));
}

Result<chess::Position> read_packed(ByteReader& reader) {
    chess::Setup setup;
    const auto occupied = reader.number<chess::Bitboard>();
    const ByteView nibbles =
        reader.bytes((static_cast<std::size_t>(chess::count(occupied)) + 1) / 2);
    if (!reader.ok()) return fail("a start position is cut off");
    std::size_t i = 0;
    for (chess::Bitboard rest = occupied; rest != 0; ++i) {
        const unsigned nibble = nibbles[i / 2] >> (4 * (i % 2)) & 15U;
        setup.board[static_cast<std::size_t>(chess::index(chess::pop_lowest(rest)))] =
            piece_from_nibble(nibble);
    }
    const unsigned flags = reader.byte();
    if (flags & kBlackToMove) setup.side_to_move = chess::Color::Black;
    for (std::size_t corner = 0; corner < kCornerSquares.size(); ++corner) {
        if (flags >> (kCornerShift + static_cast<int>(corner)) & 1) {
            setup.castling_rooks |= chess::bit(kCornerSquares[corner]);
        }
    }
    if (flags & kInnerRooks) {
        setup.castling_rooks |= reader.byte();
        setup.castling_rooks |= static_cast<chess::Bitboard>(reader.byte()) << 56;
    }
    if (flags & kHasEnPassant) {
        const std::uint8_t square = reader.byte();
        if (square >= 64) return fail("a start position has no valid en-passant square");
        setup.en_passant = chess::square_at(square);
    }
    const std::uint64_t halfmove = reader.varint(), fullmove = reader.varint();
    if (!reader.ok()) return fail("a start position is cut off");
    constexpr std::uint64_t kAnyTooLarge = 1 << 20;  // Position::from knows the real limit
    setup.halfmove_clock = static_cast<int>(std::min(halfmove, kAnyTooLarge));
    setup.fullmove_number = static_cast<int>(std::min(fullmove, kAnyTooLarge));
    return chess::Position::from(setup);
}

}  // namespace solis::data
