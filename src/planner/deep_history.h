// Search statistics of the deep plan: which quiet moves refuted, and how far latent scores were
// off.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "chess/position.h"
#include "planner/value.h"

namespace solis::planner {

// A piece and where it went: what moves are remembered by. 0 stands for no move.
using PieceMove = int;
[[nodiscard]] inline PieceMove piece_move(const chess::Position& before, chess::Move move) {
    return index(before.piece_on(move.from())) * 64 + index(move.to());
}
inline constexpr int kPieceMoves = 16 * 64;

// Not evaluation: it forgets and only orders moves.
class MoveHistory {
  public:
    static constexpr int kMax = 8192;

    MoveHistory() : answers_(std::size_t{kPieceMoves} * kPieceMoves) {}

    // How good a quiet move was elsewhere, and as an answer to `previous`. Within +-2 kMax.
    [[nodiscard]] int of(PieceMove move, PieceMove previous) const {
        return moves_[static_cast<std::size_t>(move)] + answers_[answer_index(move, previous)];
    }
    // Moves towards +-kMax, less the nearer it already is.
    void add(PieceMove move, PieceMove previous, int bonus) {
        approach(moves_[static_cast<std::size_t>(move)], bonus);
        if (previous != 0) approach(answers_[answer_index(move, previous)], bonus);
    }
    // Old plans count half. Answers are too many to touch, and age by being overwritten.
    void fade() {
        for (std::int16_t& entry : moves_) entry = static_cast<std::int16_t>(entry / 2);
    }

  private:
    static std::size_t answer_index(PieceMove move, PieceMove previous) {
        return static_cast<std::size_t>(previous) * kPieceMoves + static_cast<std::size_t>(move);
    }
    static void approach(std::int16_t& entry, int bonus) {
        entry = static_cast<std::int16_t>(entry + bonus - entry * std::abs(bonus) / kMax);
    }

    std::array<std::int16_t, kPieceMoves> moves_{};
    std::vector<std::int16_t> answers_;
};

// How far the latent score was from what the plan found, in positions with the same pawns.
class LatentCorrection {
  public:
    // What to add to a latent score.
    [[nodiscard]] Value of(const chess::Position& position) const {
        return table_[slot(position)] / kGrain;
    }
    void learn(const chess::Position& position, int depth, Value error) {
        constexpr int kWhole = 256;
        std::int16_t& entry = table_[slot(position)];
        const int weight = std::min(depth + 1, 16);
        const int target = std::clamp(error, -kMost, kMost) * kGrain;
        entry = static_cast<std::int16_t>((entry * (kWhole - weight) + target * weight) / kWhole);
    }

  private:
    static constexpr int kGrain = 16;
    static constexpr Value kMost = 1500;
    static constexpr std::size_t kSlots = std::size_t{1} << 14;

    static std::size_t slot(const chess::Position& position) {
        const chess::Bitboard pawns = position.pieces(chess::PieceType::Pawn);
        std::uint64_t hash = (pawns & position.pieces(chess::Color::White)) * 0x9e3779b97f4a7c15u;
        hash ^= (pawns & position.pieces(chess::Color::Black)) * 0xc2b2ae3d27d4eb4fu;
        hash ^= hash >> 32;
        hash *= 0xd6e8feb86659fd93u;
        return (hash >> 50) ^ (index(position.side_to_move()) == 0 ? 0 : kSlots);
    }

    std::array<std::int16_t, 2 * kSlots> table_{};
};

}  // namespace solis::planner
