// Selection by counting: sorting all moves to find one of them would dominate decoding.
#include "data/canonical_moves.h"

#include <algorithm>
#include <cassert>

namespace solis::data {

CanonicalMoves::CanonicalMoves(const chess::Position& position)
    : moves_(chess::legal_moves(position)),
      flip_(position.side_to_move() == chess::Color::White ? 0 : 56) {
    counts_.fill(0);
    for (const chess::Move move : moves_) {
        const unsigned from = static_cast<unsigned>(chess::index(move.from())) ^ flip_;
        origins_ |= chess::Bitboard{1} << from;
        ++counts_[from];
    }
}

unsigned CanonicalMoves::key(chess::Move move) const {
    const unsigned from = static_cast<unsigned>(chess::index(move.from())) ^ flip_;
    const unsigned to = static_cast<unsigned>(chess::index(move.to())) ^ flip_;
    return from << 8 | to << 2 | (move.bits() >> 12 & 3U);
}

std::optional<std::uint8_t> CanonicalMoves::number_of(chess::Move move) const {
    const unsigned wanted = key(move);
    unsigned smaller = 0;
    bool found = false;
    for (const chess::Move other : moves_) {
        smaller += key(other) < wanted ? 1 : 0;
        found |= other == move;
    }
    if (!found) return {};
    return static_cast<std::uint8_t>(smaller);
}

chess::Move CanonicalMoves::at(std::size_t number) const {
    assert(number < size());
    chess::Bitboard rest = origins_;
    const auto next_origin = [&] { return static_cast<unsigned>(index(chess::pop_lowest(rest))); };
    unsigned from = next_origin();
    for (; number >= counts_[from]; from = next_origin()) number -= counts_[from];
    // At most 27 moves (a queen's) start from one square.
    std::array<unsigned, 32> keys;
    std::array<chess::Move, 32> candidates;
    std::size_t n = 0;
    for (const chess::Move move : moves_) {
        if ((static_cast<unsigned>(chess::index(move.from())) ^ flip_) != from) continue;
        keys[n] = key(move);
        candidates[n++] = move;
    }
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t smaller = 0;
        for (std::size_t j = 0; j < n; ++j) smaller += keys[j] < keys[i] ? 1 : 0;
        if (smaller == number) return candidates[i];
    }
    assert(false);
    return {};
}

}  // namespace solis::data
