// Two positions that are one reversible move apart differ in their keys by what that move changes:
// a piece on two squares and the side to move. All such differences are in a table.
#include "solis/planner/upcoming_repetition.h"

#include <algorithm>
#include <array>

#include "solis/chess/attacks.h"
#include "solis/chess/zobrist.h"

namespace solis::planner {
namespace {

using chess::Piece;
using chess::PieceType;
using chess::Square;

// Open addressing: 3,668 moves in 8,192 places.
class ReversibleMoves {
  public:
    struct Entry {
        std::uint64_t difference = 0;  // 0: free
        Square from = Square::None;
        Square to = Square::None;
    };

    ReversibleMoves() {
        for (const chess::Color color : {chess::Color::White, chess::Color::Black}) {
            for (const PieceType type : {PieceType::Knight, PieceType::Bishop, PieceType::Rook,
                                         PieceType::Queen, PieceType::King}) {
                for (int a = 0; a < 64; ++a) add_moves(chess::make_piece(color, type), a);
            }
        }
    }
    [[nodiscard]] const Entry* find(std::uint64_t difference) const {
        for (std::size_t at = difference % kPlaces;; at = (at + 1) % kPlaces) {
            if (entries_[at].difference == difference) return &entries_[at];
            if (entries_[at].difference == 0) return nullptr;
        }
    }

  private:
    static constexpr std::size_t kPlaces = 8192;

    void add_moves(Piece piece, int square) {
        const Square from = chess::square_at(square);
        for (chess::Bitboard b = chess::piece_attacks(type_of(piece), from, 0); b != 0;) {
            const Square to = chess::pop_lowest(b);
            if (index(to) < square) continue;  // there and back are one difference
            const std::uint64_t difference = chess::zobrist::piece(piece, from) ^
                                             chess::zobrist::piece(piece, to) ^
                                             chess::zobrist::kWhiteToMove;
            std::size_t at = difference % kPlaces;
            while (entries_[at].difference != 0) at = (at + 1) % kPlaces;
            entries_[at] = {difference, from, to};
        }
    }

    std::array<Entry, kPlaces> entries_{};
};

}  // namespace

bool can_repeat(const chess::Position& position, std::span<const std::uint64_t> keys,
                std::size_t game_length) {
    static const ReversibleMoves moves;
    const std::size_t last = keys.size() - 1;
    const std::size_t reach =
        std::min<std::size_t>(static_cast<std::size_t>(position.halfmove_clock()), last);
    for (std::size_t back = 3; back <= reach; back += 2) {
        const std::uint64_t wanted = keys[last - back];
        const ReversibleMoves::Entry* move = moves.find(keys[last] ^ wanted);
        if (move == nullptr || (chess::between(move->from, move->to) & position.pieces()) != 0) {
            continue;
        }
        const chess::Bitboard ends = chess::bit(move->from) | chess::bit(move->to);
        if ((position.pieces(position.side_to_move()) & ends) == 0) continue;
        if (last - back + 1 >= game_length) return true;
        // Before the root the position must have occurred twice.
        for (std::size_t earlier = back + 2; earlier <= reach; earlier += 2) {
            if (keys[last - earlier] == wanted) return true;
        }
    }
    return false;
}

}  // namespace solis::planner
