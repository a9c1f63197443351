// Incremental evaluation: compare boards and planes as words, touch only rows that changed.
#include "solis/model/swift_evaluator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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

// Squares where two boards hold different pieces.
Bitboard different_squares(const std::array<Piece, 64>& a, const Position& b) {
    Bitboard different = 0;
    for (int rank = 0; rank < 8; ++rank) {
        std::uint64_t x, y;
        std::memcpy(&x, a.data() + 8 * rank, 8);
        std::memcpy(&y, b.board().data() + 8 * rank, 8);
        std::uint64_t bytes = x ^ y;
        if (bytes == 0) continue;
        // A byte that differs to its lowest bit, then the eight bits side by side.
        bytes |= bytes >> 4;
        bytes |= bytes >> 2;
        bytes |= bytes >> 1;
        bytes &= 0x0101010101010101;
        different |= (bytes * 0x0102040810204080 >> 56) << (8 * rank);
    }
    return different;
}

// What one square can add at most to each accumulator times `sign`, whatever stands on it, while
// the own king is in one zone of `view`.
// Goes through the weights row by row, as they lie in memory.
void most_of_square(const nn::SwiftWeights& weights, SwiftView view, int planes, int square,
                    float sign, std::span<float> most) {
    const std::size_t width = most.size();
    std::vector<float> sum(width);
    const auto row = [&](int plane, int piece) {
        const int block = view.input(plane, Piece::WhitePawn, Square::A1) / data::kInputsPerPlane;
        const int input = block * data::kInputsPerPlane + piece * 64 + square;
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

// accumulator_reach while the own king is in one zone.
float reach_in_zone(const nn::SwiftShape& shape, const nn::SwiftWeights& weights, SwiftView view,
                    int planes) {
    const auto width = static_cast<std::size_t>(shape.accumulators);
    float reach = 0;
    for (const float sign : {1.0f, -1.0f}) {
        std::vector<float> most(64 * width);  // [squares][accumulators]
        for (int square = 0; square < 64; ++square) {
            most_of_square(
                weights, view, planes, square, sign,
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

}  // namespace

float accumulator_reach(data::SwiftFeatureSet features, const nn::SwiftShape& shape,
                        const nn::SwiftWeights& weights) {
    const int zones = data::zone_count(features);
    float reach = 0;
    for (int zone = 0; zone < zones; ++zone) {
        const SwiftView view{Color::White, false, static_cast<std::uint8_t>(zone),
                             static_cast<std::uint8_t>(zones)};
        reach = std::max(reach, reach_in_zone(shape, weights, view, data::plane_count(features)));
    }
    return reach;
}

SwiftEvaluator::SwiftEvaluator(const nn::SwiftInteger& net, data::SwiftFeatureSet features,
                               std::span<const float> axis)
    : net_(net),
      features_(features),
      axis_(axis),
      anchors_(4 * static_cast<std::size_t>(data::zone_count(features))),
      scratch_(2 * net.accumulator_size()) {
    for (Anchor& anchor : anchors_) {
        anchor.board.fill(Piece::None);
        anchor.planes.fill(0);
        anchor.sums.assign(net.empty_accumulators().begin(), net.empty_accumulators().end());
    }
}

SwiftEvaluator::Seen SwiftEvaluator::look(const Position& position) const {
    return {position, data::swift_planes(features_, position)};
}

SwiftEvaluator::Anchor& SwiftEvaluator::anchor(SwiftView view) {
    const std::size_t half = 2 * static_cast<std::size_t>(view.side) + (view.mirrored ? 1 : 0);
    return anchors_[half * view.zones + view.zone];
}

void SwiftEvaluator::find_changes(const Anchor& from, const Seen& to, SwiftView view) {
    changes_.added_count = changes_.removed_count = 0;
    const Bitboard other_piece = different_squares(from.board, to.position);
    for (int plane = 0; plane < data::plane_count(features_); ++plane) {
        const Bitboard before = from.planes[plane], now = to.planes[plane];
        for (Bitboard b = before & (~now | other_piece); b != 0;) {
            const Square s = chess::pop_lowest(b);
            changes_.removed[changes_.removed_count++] =
                static_cast<std::uint16_t>(view.input(plane, from.board[index(s)], s));
        }
        for (Bitboard b = now & (~before | other_piece); b != 0;) {
            const Square s = chess::pop_lowest(b);
            changes_.added[changes_.added_count++] =
                static_cast<std::uint16_t>(view.input(plane, to.position.piece_on(s), s));
        }
    }
}

SwiftEvaluator::Anchor& SwiftEvaluator::follow(const Seen& seen, SwiftView view) {
    Anchor& near = anchor(view);
    find_changes(near, seen, view);
    net_.update(near.sums.data(), changes_, near.sums.data());
    near.board = seen.position.board();
    near.planes = seen.planes;
    return near;
}

const std::int16_t* SwiftEvaluator::sums_near(const Seen& child, SwiftView view,
                                              const Anchor* parent_anchor, SwiftView parent_view,
                                              std::int16_t* scratch) {
    // The king crossed the middle, or went to another zone: that view has an anchor of its own.
    if (!(view == parent_view)) return follow(child, view).sums.data();
    find_changes(*parent_anchor, child, view);
    net_.update(parent_anchor->sums.data(), changes_, scratch);
    return scratch;
}

void SwiftEvaluator::score_children(const Position& parent, std::span<const Position> children,
                                    std::span<float> scores) {
    const Seen seen = look(parent);
    const SwiftView white = data::swift_view(features_, parent, Color::White);
    const SwiftView black = data::swift_view(features_, parent, Color::Black);
    const Anchor& white_anchor = follow(seen, white);
    const Anchor& black_anchor = follow(seen, black);
    for (std::size_t i = 0; i < children.size(); ++i) {
        const Position& position = children[i];
        const Seen child = look(position);
        const std::int16_t* const white_sums =
            sums_near(child, data::swift_view(features_, position, Color::White), &white_anchor,
                      white, scratch_.data());
        const std::int16_t* const black_sums =
            sums_near(child, data::swift_view(features_, position, Color::Black), &black_anchor,
                      black, scratch_.data() + net_.accumulator_size());
        const bool white_moves = position.side_to_move() == Color::White;
        scores[i] = net_.project(white_moves ? white_sums : black_sums,
                                 white_moves ? black_sums : white_sums,
                                 data::swift_bucket(position, net_.shape().buckets), axis_.data());
    }
}

float SwiftEvaluator::score(const Position& position) {
    const Seen seen = look(position);
    const Color us = position.side_to_move();
    const Anchor& mover = follow(seen, data::swift_view(features_, position, us));
    const Anchor& opponent = follow(seen, data::swift_view(features_, position, ~us));
    return net_.project(mover.sums.data(), opponent.sums.data(),
                        data::swift_bucket(position, net_.shape().buckets), axis_.data());
}

void SwiftEvaluator::embed(const Position& position, std::span<float> z) {
    const Seen seen = look(position);
    const Color us = position.side_to_move();
    const Anchor& mover = follow(seen, data::swift_view(features_, position, us));
    const Anchor& opponent = follow(seen, data::swift_view(features_, position, ~us));
    net_.output(mover.sums.data(), opponent.sums.data(),
                data::swift_bucket(position, net_.shape().buckets), z.data());
    float square = 0;
    for (const float value : z) square += value * value;
    const float length = std::max(std::sqrt(square), 1e-12f);
    for (float& value : z) value /= length;
}

}  // namespace solis::model
