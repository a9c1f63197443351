// Corrections of the latent value by what the search found in positions that are alike.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "solis/chess/position.h"
#include "solis/planner/value.h"

namespace solis::planner {

// Positions with the same pawns, the same minor pieces and kings, or the same major pieces and
// kings are alike: the encoder errs there in the same direction. For each such structure a running
// mean of the difference between what was found and what the latent value had said.
class Corrections {
  public:
    // What to add to the latent value of the position.
    [[nodiscard]] Value of(const chess::Position& position) const {
        int sum = 0;
        for (std::size_t kind = 0; kind < kKinds; ++kind) sum += entry(kind, position);
        return sum / kPerValue;
    }
    // A search of `depth` plies found `difference` more than the latent value.
    void learn(const chess::Position& position, int depth, Value difference) {
        const int bonus = std::clamp(difference * depth / 4, -kMax / 4, kMax / 4);
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            std::int16_t& value = entry(kind, position);
            value = static_cast<std::int16_t>(value + bonus - value * std::abs(bonus) / kMax);
        }
    }

  private:
    static constexpr std::size_t kKinds = 3;
    static constexpr std::size_t kEntries = 1 << 14;
    static constexpr int kMax = 1024;
    static constexpr int kPerValue = 16;  // so each kind corrects by at most 16 centipawns

    using Table = std::array<std::array<std::int16_t, kEntries>, 2>;  // [side to move]

    static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
        return (a * 0x9e3779b97f4a7c15 ^ b * 0xc2b2ae3d27d4eb4f) * 0xd6e8feb86659fd93;
    }
    static std::size_t place(std::size_t kind, const chess::Position& position) {
        using chess::PieceType;
        const chess::Bitboard kings = position.pieces(PieceType::King);
        chess::Bitboard of_kind = position.pieces(PieceType::Pawn);
        std::uint64_t extra = 0;
        if (kind == 1) {
            extra = position.pieces(PieceType::Knight);
            of_kind = extra | position.pieces(PieceType::Bishop) | kings;
        } else if (kind == 2) {
            extra = position.pieces(PieceType::Rook);
            of_kind = extra | position.pieces(PieceType::Queen) | kings;
        }
        const chess::Bitboard white = position.pieces(chess::Color::White);
        return mixed(of_kind & white, (of_kind & ~white) ^ extra << 1) >> 50;
    }
    [[nodiscard]] const std::int16_t& entry(std::size_t kind, const chess::Position& p) const {
        return tables_[kind][static_cast<std::size_t>(index(p.side_to_move()))][place(kind, p)];
    }
    [[nodiscard]] std::int16_t& entry(std::size_t kind, const chess::Position& p) {
        return tables_[kind][static_cast<std::size_t>(index(p.side_to_move()))][place(kind, p)];
    }

    std::array<Table, kKinds> tables_{};
};

}  // namespace solis::planner
