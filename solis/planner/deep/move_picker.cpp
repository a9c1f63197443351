// Listing and ordering, stage by stage.
#include "solis/planner/deep/move_picker.h"

#include <algorithm>
#include <limits>

#include "solis/chess/legality.h"
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

constexpr int kPlaces = 256;
constexpr int kMostOrder = 2'000'000;
constexpr std::int32_t kTaken = std::numeric_limits<std::int32_t>::min();

// A promotion to less than a queen is good for next to nothing.
int promotion_order(Move move) {
    if (move.kind() != MoveKind::Promotion) return 0;
    return move.promotion_piece() == PieceType::Queen ? 4 * kVictimOrder : -4 * kVictimOrder;
}

// What a piece gains by leaving one square for another where it is not attacked by less.
class DangerOrder {
  public:
    explicit DangerOrder(const Threats& threats) {
        for (std::size_t i = 0; i < attacked_.size(); ++i) {
            attacked_[i] = threats.to(static_cast<PieceType>(i));
        }
    }
    [[nodiscard]] int of(PieceType type, Move move) const {
        const Bitboard attacked = attacked_[static_cast<std::size_t>(index(type))];
        const int leaves = static_cast<int>(attacked >> index(move.from()) & 1);
        const int enters = static_cast<int>(attacked >> index(move.to()) & 1);
        return (leaves - enters) * (exchange_rank(type) - 1) * kDangerOrder;
    }

  private:
    std::array<Bitboard, 6> attacked_;  // by less than a piece of each type
};

}  // namespace

MovePicker::MovePicker(const Parent& parent, const MoveMemory& memory)
    : parent_(parent), memory_(memory) {
    if (parent_.table_move.is_none() ||
        (parent_.captures_only && !parent_.in_check &&
         is_quiet(parent_.position, parent_.table_move)) ||
        !chess::is_legal(parent_.position, parent_.table_move)) {
        parent_.table_move = Move();
        stage_ = Stage::ListCaptures;
    }
}

void MovePicker::add(Move move, int order) {
    // Of equal moves the first listed comes first.
    keys_[size_] = std::clamp(order, -kMostOrder, kMostOrder) * kPlaces +
                   (kPlaces - 1 - static_cast<int>(size_));
    moves_[size_++] = move.bits();
}

bool MovePicker::take_best(Choice& choice) {
    std::int32_t best = kTaken;
    for (std::size_t i = 0; i < size_; ++i) best = std::max(best, keys_[i]);
    if (best == kTaken) return false;
    const auto place = static_cast<std::size_t>(kPlaces - 1 - (best & (kPlaces - 1)));
    keys_[place] = kTaken;
    choice.move = Move::from_bits(moves_[place]);
    return true;
}

void MovePicker::list_captures() {
    const Position& position = parent_.position;
    for (const Move move : chess::legal_captures(position)) {
        if (move == parent_.table_move) continue;
        const PieceType victim = move.kind() == MoveKind::EnPassant
                                     ? PieceType::Pawn
                                     : type_of(position.piece_on(move.to()));
        add(move, kVictimOrder * exchange_rank(victim) + promotion_order(move) +
                      memory_.captures.of(position, move));
    }
}

void MovePicker::list_quiet() {
    const Position& position = parent_.position;
    const CheckSquares checks = parent_.checks ? *parent_.checks : CheckSquares(position);
    const DangerOrder danger(parent_.threats);
    const ContinuationHistory::Row& answers = memory_.continuations.after(parent_.context.last);
    for (const Move move : chess::legal_moves(position)) {
        if (move == parent_.table_move || !is_quiet(position, move)) continue;
        int order = quiet_tendency(memory_, parent_.context, position, move) +
                    answers[piece_to(position, move)].value();
        if (move == parent_.killers[0] || move == parent_.killers[1]) order += kKillerOrder;
        order += danger.of(type_of(position.piece_on(move.from())), move);
        if (move.kind() == MoveKind::Normal && checks.gives_check(position, move) &&
            !loses_exchange(position, move)) {
            order += kCheckOrder;
        }
        add(move, order);
    }
}

bool MovePicker::next(Choice& choice) {
    const Position& position = parent_.position;
    switch (stage_) {
        case Stage::Table:
            stage_ = Stage::ListCaptures;
            choice = {parent_.table_move, is_quiet(position, parent_.table_move), false};
            return true;
        case Stage::ListCaptures:
            list_captures();
            stage_ = Stage::Captures;
            [[fallthrough]];
        case Stage::Captures:
            choice = {Move(), false, false};
            while (take_best(choice)) {
                if (!loses_exchange(position, choice.move)) return true;
                if (losing_size_ < losing_.size()) losing_[losing_size_++] = choice.move.bits();
            }
            stage_ = Stage::ListQuiet;
            [[fallthrough]];
        case Stage::ListQuiet:
            size_ = 0;
            if (wants_quiet()) list_quiet();
            stage_ = Stage::Quiet;
            [[fallthrough]];
        case Stage::Quiet:
            choice = {Move(), true, false};
            if (wants_quiet() && take_best(choice)) return true;
            stage_ = Stage::Losing;
            [[fallthrough]];
        case Stage::Losing:
            if (next_losing_ < losing_size_ && (!parent_.captures_only || parent_.in_check)) {
                choice = {Move::from_bits(losing_[next_losing_++]), false, true};
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
