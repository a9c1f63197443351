// Listing and ordering, stage by stage.
#include "solis/planner/deep/move_picker.h"

#include <algorithm>

#include "solis/chess/legality.h"
#include "solis/planner/deep/checks.h"
#include "solis/planner/deep/exchange_order.h"

namespace solis::planner {
namespace {

using chess::Bitboard;
using chess::Move;
using chess::MoveKind;
using chess::PieceType;
using chess::Position;

constexpr int kVictimOrder = 6000;  // for a step in the order of pieces
constexpr int kKillerOrder = 12'000;
constexpr int kCheckOrder = 8000;
constexpr int kDangerOrder = 7000;  // for a step in the order of pieces

// A promotion to less than a queen is good for next to nothing.
int promotion_order(Move move) {
    if (move.kind() != MoveKind::Promotion) return 0;
    return move.promotion_piece() == PieceType::Queen ? 4 * kVictimOrder : -4 * kVictimOrder;
}

// Squares where pieces of a kind are attacked by something of less rank.
struct Dangers {
    Bitboard minor, rook, queen;

    explicit Dangers(const Position& position) {
        const chess::Color them = ~position.side_to_move();
        const Bitboard occupied = position.pieces();
        const Bitboard pawns = position.pieces(them, PieceType::Pawn);
        minor = them == chess::Color::White ? chess::pawn_attacks<chess::Color::White>(pawns)
                                            : chess::pawn_attacks<chess::Color::Black>(pawns);
        rook = minor;
        for (Bitboard b = position.pieces(them, PieceType::Knight); b != 0;) {
            rook |= chess::knight_attacks(chess::pop_lowest(b));
        }
        for (Bitboard b = position.pieces(them, PieceType::Bishop); b != 0;) {
            rook |= chess::bishop_attacks(chess::pop_lowest(b), occupied);
        }
        queen = rook;
        for (Bitboard b = position.pieces(them, PieceType::Rook); b != 0;) {
            queen |= chess::rook_attacks(chess::pop_lowest(b), occupied);
        }
    }
    // What leaving one square for another is worth.
    [[nodiscard]] int order(PieceType type, Move move) const {
        Bitboard attacked = 0;
        int steps = 0;
        switch (type) {
            case PieceType::Knight:
            case PieceType::Bishop:
                attacked = minor, steps = 1;
                break;
            case PieceType::Rook:
                attacked = rook, steps = 2;
                break;
            case PieceType::Queen:
                attacked = queen, steps = 3;
                break;
            default:
                return 0;
        }
        const int leaves = attacked & chess::bit(move.from()) ? 1 : 0;
        const int enters = attacked & chess::bit(move.to()) ? 1 : 0;
        return (leaves - enters) * steps * kDangerOrder;
    }
};

}  // namespace

MovePicker::MovePicker(const Parent& parent, const MoveMemory& memory, NodeScorer& scorer,
                       const DeepTuning& tuning)
    : parent_(parent), memory_(memory), scorer_(scorer), tuning_(tuning) {
    if (parent_.table_move.is_none() ||
        (parent_.captures_only && !parent_.in_check &&
         is_quiet(parent_.position, parent_.table_move)) ||
        !chess::is_legal(parent_.position, parent_.table_move)) {
        parent_.table_move = Move();
        stage_ = Stage::ListCaptures;
    }
}

MovePicker::Scored& MovePicker::best_of(std::size_t first, std::size_t last) {
    std::size_t best = first;
    for (std::size_t i = first + 1; i < last; ++i) {
        if (moves_[i].order > moves_[best].order) best = i;
    }
    std::swap(moves_[first], moves_[best]);
    return moves_[first];
}

void MovePicker::list_captures() {
    const Position& position = parent_.position;
    for (const Move move : chess::legal_captures(position)) {
        if (move == parent_.table_move) continue;
        const PieceType victim = move.kind() == MoveKind::EnPassant
                                     ? PieceType::Pawn
                                     : type_of(position.piece_on(move.to()));
        moves_[end_++] = {move, kVictimOrder * exchange_rank(victim) + promotion_order(move) +
                                    memory_.captures.of(position, move)};
    }
}

void MovePicker::list_quiet() {
    const Position& position = parent_.position;
    const CheckSquares checks(position);
    const Dangers dangers(position);
    const std::size_t first = end_;
    for (const Move move : chess::legal_moves(position)) {
        if (move == parent_.table_move || !is_quiet(position, move)) continue;
        int order =
            quiet_tendency(memory_, parent_.before, position, move) +
            memory_.continuations.after(parent_.before.last)[piece_to(position, move)].value();
        if (move == parent_.killers[0] || move == parent_.killers[1]) order += kKillerOrder;
        order += dangers.order(type_of(position.piece_on(move.from())), move);
        if (move.kind() == MoveKind::Normal && checks.gives_check(position, move) &&
            !loses_exchange(position, move)) {
            order += kCheckOrder;
        }
        moves_[end_++] = {move, order};
    }
    if (parent_.ranked) add_latent_order(first);
}

void MovePicker::add_latent_order(std::size_t first) {
    std::array<Move, 256> moves;
    std::array<Value, 256> values;
    const std::size_t count = end_ - first;
    for (std::size_t i = 0; i < count; ++i) moves[i] = moves_[first + i].move;
    scorer_.score_children(parent_.position, {moves.data(), count}, {values.data(), count});
    Value best = -kInfinite;
    for (std::size_t i = 0; i < count; ++i) best = std::max(best, values[i]);
    for (std::size_t i = 0; i < count; ++i) {
        moves_[first + i].order += std::max(values[i] - best, -1200) * tuning_.rank_weight;
    }
}

bool MovePicker::next(Choice& choice) {
    const Position& position = parent_.position;
    switch (stage_) {
        case Stage::Table:
            stage_ = Stage::ListCaptures;
            choice = {parent_.table_move, 0, is_quiet(position, parent_.table_move), false};
            return true;
        case Stage::ListCaptures:
            list_captures();
            stage_ = Stage::Captures;
            [[fallthrough]];
        case Stage::Captures:
            while (next_ < end_) {
                const Scored found = best_of(next_++, end_);
                if (loses_exchange(position, found.move)) {
                    moves_[losing_++] = found;
                    continue;
                }
                choice = {found.move, found.order, false, false};
                return true;
            }
            stage_ = Stage::ListQuiet;
            [[fallthrough]];
        case Stage::ListQuiet:
            if (skips_quiet_ || (parent_.captures_only && !parent_.in_check)) {
                skips_quiet_ = true;
                next_ = end_ = losing_;
            } else {
                next_ = end_ = losing_;
                list_quiet();
            }
            stage_ = Stage::Quiet;
            [[fallthrough]];
        case Stage::Quiet:
            if (!skips_quiet_ && next_ < end_) {
                const Scored found = best_of(next_++, end_);
                choice = {found.move, found.order, true, false};
                return true;
            }
            next_ = 0;
            stage_ = Stage::Losing;
            [[fallthrough]];
        case Stage::Losing:
            if (parent_.captures_only && !parent_.in_check) next_ = losing_;
            if (next_ < losing_) {
                choice = {moves_[next_].move, moves_[next_].order, false, true};
                ++next_;
                return true;
            }
            stage_ = Stage::End;
            [[fallthrough]];
        case Stage::End:
            return false;
    }
    return false;
}

}  // namespace solis::planner
