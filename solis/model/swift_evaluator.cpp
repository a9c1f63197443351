// Incremental evaluation: compare boards and planes as words, touch only rows that changed.
#include "solis/model/swift_evaluator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace solis::model {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::Piece;
using chess::Position;
using chess::Square;
using data::SwiftPlanes;
using data::SwiftView;

// The pieces of a position by type, then by colour.
std::array<Bitboard, 8> board_sets(const Position& position) {
    std::array<Bitboard, 8> sets;
    for (std::size_t type = 0; type < 6; ++type) {
        sets[type] = position.pieces(static_cast<chess::PieceType>(type));
    }
    sets[6] = position.pieces(Color::White);
    sets[7] = position.pieces(Color::Black);
    return sets;
}

// What one square can add at most to each accumulator times `sign`, whatever stands on it.
// Goes through the weights row by row, as they lie in memory.
void most_of_square(const nn::SwiftWeights& weights, int planes, int square, float sign,
                    std::span<float> most) {
    const std::size_t width = most.size();
    std::vector<float> sum(width);
    const auto row = [&](int plane, int piece) {
        const int input = plane * data::kInputsPerPlane + piece * 64 + square;
        return weights.input_weight.values.data() + static_cast<std::size_t>(input) * width;
    };
    for (int piece = 0; piece < 12; ++piece) {
        const float* const always = row(0, piece);
        for (std::size_t a = 0; a < width; ++a) sum[a] = sign * always[a];
        for (int plane = 1; plane < planes; ++plane) {
            const float* const sometimes = row(plane, piece);
            for (std::size_t a = 0; a < width; ++a) sum[a] += std::max(0.0f, sign * sometimes[a]);
        }
        for (std::size_t a = 0; a < width; ++a) most[a] = std::max(most[a], sum[a]);
    }
}

}  // namespace

float accumulator_reach(data::SwiftFeatureSet features, const nn::SwiftShape& shape,
                        const nn::SwiftWeights& weights) {
    const auto width = static_cast<std::size_t>(shape.accumulators);
    float reach = 0;
    for (const float sign : {1.0f, -1.0f}) {
        std::vector<float> most(64 * width);  // [squares][accumulators]
        for (int square = 0; square < 64; ++square) {
            most_of_square(
                weights, data::plane_count(features), square, sign,
                std::span(most).subspan(static_cast<std::size_t>(square) * width, width));
        }
        for (std::size_t a = 0; a < width; ++a) {
            std::array<float, 64> of_square;
            for (std::size_t i = 0; i < 64; ++i) of_square[i] = most[i * width + a];
            // At most 32 squares are occupied.
            std::nth_element(of_square.begin(), of_square.begin() + 32, of_square.end(),
                             std::greater<>());
            reach = std::max(reach, std::accumulate(of_square.begin(), of_square.begin() + 32,
                                                    sign * weights.input_bias.values[a]));
        }
    }
    return reach;
}

SwiftEvaluator::SwiftEvaluator(const nn::SwiftInteger& net, data::SwiftFeatureSet features,
                               std::span<const float> axis)
    : net_(net),
      features_(features),
      axis_(axis),
      anchors_(4),
      scratch_(2 * net.accumulator_size()) {
    for (Anchor& anchor : anchors_) {
        anchor.board.pieces.fill(Piece::None);
        anchor.board.sets.fill(0);
        anchor.board.planes.fill(0);
        anchor.sums.assign(net.empty_accumulators().begin(), net.empty_accumulators().end());
    }
}

SwiftEvaluator::Seen SwiftEvaluator::look(const Position& position) const {
    return {position,
            data::swift_planes(features_, position),
            {data::swift_view(position, Color::White), data::swift_view(position, Color::Black)}};
}

SwiftEvaluator::Anchor& SwiftEvaluator::anchor(SwiftView view) {
    return anchors_[2 * static_cast<std::size_t>(view.side) + (view.mirrored ? 1 : 0)];
}

void SwiftEvaluator::find_differences(const Board& from, const Seen& to) {
    const std::array<Bitboard, 8> sets = board_sets(to.position);
    Bitboard other_piece = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) other_piece |= sets[i] ^ from.sets[i];
    std::size_t added = 0, removed = 0;
    for (int plane = 0; plane < data::plane_count(features_); ++plane) {
        const Bitboard before = from.planes[plane], now = to.planes[plane];
        const auto place = static_cast<std::uint8_t>(plane);
        for (Bitboard b = before & (~now | other_piece); b != 0;) {
            const Square s = chess::pop_lowest(b);
            differences_.removed[removed++] = {place, from.pieces[index(s)], s};
        }
        for (Bitboard b = now & (~before | other_piece); b != 0;) {
            const Square s = chess::pop_lowest(b);
            differences_.added[added++] = {place, to.position.piece_on(s), s};
        }
    }
    differences_.added_count = added;
    differences_.removed_count = removed;
}

void SwiftEvaluator::list_changes(SwiftView view) {
    const auto input = [view](const Difference& d) {
        return static_cast<std::uint16_t>(view.input(d.plane, d.piece, d.square));
    };
    for (std::size_t i = 0; i < differences_.added_count; ++i) {
        changes_.added[i] = input(differences_.added[i]);
    }
    for (std::size_t i = 0; i < differences_.removed_count; ++i) {
        changes_.removed[i] = input(differences_.removed[i]);
    }
    changes_.added_count = differences_.added_count;
    changes_.removed_count = differences_.removed_count;
}

void SwiftEvaluator::move_anchor(Anchor& anchor, const Seen& seen, SwiftView view) {
    list_changes(view);
    net_.update(anchor.sums.data(), changes_, anchor.sums.data());
    anchor.board = {seen.position.board(), board_sets(seen.position), seen.planes};
    anchor.stamp = stamps_;
}

void SwiftEvaluator::follow(const Seen& seen) {
    Anchor& white = anchor(seen.views[0]);
    Anchor& black = anchor(seen.views[1]);
    // Nearly always both stand for the board before, and differ from this one in the same way.
    const bool same = white.stamp == black.stamp;
    ++stamps_;
    find_differences(white.board, seen);
    move_anchor(white, seen, seen.views[0]);
    if (!same) find_differences(black.board, seen);
    move_anchor(black, seen, seen.views[1]);
}

const std::int16_t* SwiftEvaluator::sums_near(const Seen& child, std::size_t side,
                                              const Seen& parent) {
    const SwiftView view = child.views[side];
    Anchor& near = anchor(view);
    if (!(view == parent.views[side])) {
        // The king crossed the middle: that view has an anchor of its own.
        find_differences(near.board, child);
        ++stamps_;
        move_anchor(near, child, view);
        return near.sums.data();
    }
    // White's view comes first; the differences are the same for Black's, unless White's king has
    // changed its view.
    if (side == 0 || !(child.views[0] == parent.views[0])) {
        find_differences(near.board, child);
    }
    list_changes(view);
    std::int16_t* const scratch = scratch_.data() + side * net_.accumulator_size();
    net_.update(near.sums.data(), changes_, scratch);
    return scratch;
}

float SwiftEvaluator::project(const Position& position, const std::int16_t* white,
                              const std::int16_t* black) const {
    const bool white_moves = position.side_to_move() == Color::White;
    return net_.project(white_moves ? white : black, white_moves ? black : white,
                        data::swift_bucket(position, net_.shape().buckets), axis_.data());
}

void SwiftEvaluator::score_children(const Position& parent, std::span<const Position> children,
                                    std::span<float> scores) {
    if (children.empty()) return;
    const Seen seen = look(parent);
    follow(seen);
    for (std::size_t i = 0; i < children.size(); ++i) {
        const Seen child = look(children[i]);
        const std::int16_t* const white = sums_near(child, 0, seen);
        const std::int16_t* const black = sums_near(child, 1, seen);
        scores[i] = project(children[i], white, black);
    }
}

float SwiftEvaluator::score(const Position& position) {
    const Seen seen = look(position);
    follow(seen);
    return project(position, anchor(seen.views[0]).sums.data(), anchor(seen.views[1]).sums.data());
}

void SwiftEvaluator::embed(const Position& position, std::span<float> z) {
    const Seen seen = look(position);
    follow(seen);
    const bool white_moves = position.side_to_move() == Color::White;
    const Anchor& mover = anchor(seen.views[white_moves ? 0 : 1]);
    const Anchor& opponent = anchor(seen.views[white_moves ? 1 : 0]);
    net_.output(mover.sums.data(), opponent.sums.data(),
                data::swift_bucket(position, net_.shape().buckets), z.data());
    float square = 0;
    for (const float value : z) square += value * value;
    const float length = std::max(std::sqrt(square), 1e-12f);
    for (float& value : z) value /= length;
}

}  // namespace solis::model
