// Differences between boards, as rows of the net.
#include "solis/model/nnue/follower.h"

#include <cassert>

namespace solis::model {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::PieceType;
using chess::Position;
using PieceSets = std::array<std::array<Bitboard, 6>, 2>;

PieceSets sets_of(const Position& position) {
    PieceSets sets;
    for (const Color color : {Color::White, Color::Black}) {
        for (int type = 0; type < 6; ++type) {
            sets[index(color)][type] = position.pieces(color, static_cast<PieceType>(type));
        }
    }
    return sets;
}

nn::NnueChanges changes_between(const PieceSets& before, const PieceSets& after,
                                data::NnueView view) {
    nn::NnueChanges changes;
    for (int color = 0; color < 2; ++color) {
        for (int type = 0; type < 6; ++type) {
            const Bitboard old = before[color][type], now = after[color][type];
            if (old == now) continue;
            const chess::Piece piece =
                chess::make_piece(static_cast<Color>(color), static_cast<PieceType>(type));
            for (Bitboard gone = old & ~now; gone != 0;) {
                changes.remove(view.input(piece, chess::pop_lowest(gone)));
            }
            for (Bitboard come = now & ~old; come != 0;) {
                changes.add(view.input(piece, chess::pop_lowest(come)));
            }
        }
    }
    return changes;
}

std::size_t slot_of(data::NnueView view) {
    const int flipped = (view.flip & 7) != 0 ? 1 : 0;
    return static_cast<std::size_t>((index(view.side) * data::kNnueBuckets + view.bucket) * 2 +
                                    flipped);
}

}  // namespace

NnueFollower::NnueFollower(const nn::NnueNet& net)
    : net_(net), remembered_(2 * data::kNnueBuckets * 2) {
    assert(net.inputs() == nn::kNnueInputs);
    for (Remembered& entry : remembered_) entry.sums = net.empty();
}

void NnueFollower::refresh_view(const Position& position, Color side, NnueState& to) {
    const data::NnueView view = data::nnue_view(position, side);
    Remembered& entry = remembered_[slot_of(view)];
    net_.update(entry.sums, changes_between(entry.pieces, to.pieces, view), entry.sums);
    entry.pieces = to.pieces;
    to.views[index(side)] = view;
    to.sums[index(side)] = entry.sums;
}

void NnueFollower::refresh(const Position& position, NnueState& to) {
    to.pieces = sets_of(position);
    for (const Color side : {Color::White, Color::Black}) refresh_view(position, side, to);
}

void NnueFollower::derive(const NnueState& from, const Position& position, NnueState& to) {
    to.pieces = sets_of(position);
    for (const Color side : {Color::White, Color::Black}) {
        const data::NnueView view = data::nnue_view(position, side);
        if (view != from.views[index(side)]) {
            refresh_view(position, side, to);
            continue;
        }
        to.views[index(side)] = view;
        net_.update(from.sums[index(side)], changes_between(from.pieces, to.pieces, view),
                    to.sums[index(side)]);
    }
}

nn::NnueValue NnueFollower::value(const NnueState& state, const Position& position) const {
    const int mover = index(position.side_to_move());
    return net_.evaluate(state.sums[mover], state.sums[1 - mover], data::nnue_stack(position));
}

}  // namespace solis::model
