// Scores positions with the integer swift network, following the board from one position to the
// next instead of starting over.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "solis/base/aligned.h"
#include "solis/chess/position.h"
#include "solis/data/inputs/swift_features.h"
#include "solis/nn/swift/integer.h"

namespace solis::model {

// Largest absolute value that any accumulator can take: at most 32 squares are occupied, each by
// one piece with any of its planes. What nn::SwiftInteger::quantize needs to know.
[[nodiscard]] float accumulator_reach(data::SwiftFeatureSet features, const nn::SwiftShape& shape,
                                      const nn::SwiftWeights& weights);

// Not thread-safe: one per thread. The network itself is shared.
class SwiftEvaluator {
  public:
    // `axis` has the network's dimension and length 1. Both must outlive the evaluator.
    SwiftEvaluator(const nn::SwiftInteger& net, data::SwiftFeatureSet features,
                   std::span<const float> axis);

    // <z, axis> of each child, from the point of view of the side to move in it. Fast when
    // `children` are one move away from `parent`.
    void score_children(const chess::Position& parent, std::span<const chess::Position> children,
                        std::span<float> scores);
    // The same for one position, fast when it is close to the one before.
    [[nodiscard]] float score(const chess::Position& position);
    // The embedding, a vector of length 1, as the side to move sees it.
    void embed(const chess::Position& position, std::span<float> z);

  private:
    // A board as the inputs need it.
    struct Board {
        std::array<chess::Piece, 64> pieces;
        std::array<chess::Bitboard, 8> sets;  // by type, then by colour
        data::SwiftPlanes planes;
    };
    // Accumulators of one view together with the board they stand for.
    struct Anchor {
        Board board;
        std::uint64_t stamp = 0;  // anchors with the same stamp stand for the same board
        AlignedVector<std::int16_t> sums;
    };
    // A position and what its views need.
    struct Seen {
        const chess::Position& position;
        data::SwiftPlanes planes;
        std::array<data::SwiftView, 2> views;  // White's, then Black's
    };
    // A piece that is new in a plane, or not there any more.
    struct Difference {
        std::uint8_t plane;
        chess::Piece piece;
        chess::Square square;
    };
    struct Differences {
        std::array<Difference, nn::InputChanges::kMost> added, removed;
        std::size_t added_count = 0, removed_count = 0;
    };

    [[nodiscard]] Seen look(const chess::Position& position) const;
    [[nodiscard]] Anchor& anchor(data::SwiftView view);
    // Brings the anchors of both views to the position.
    void follow(const Seen& seen);
    // Brings one anchor to the position, given the differences.
    void move_anchor(Anchor& anchor, const Seen& seen, data::SwiftView view);
    // Accumulators of one view of a child: a few rows away from its parent's anchor.
    const std::int16_t* sums_near(const Seen& child, std::size_t side, const Seen& parent);
    // Fills differences_.
    void find_differences(const Board& from, const Seen& to);
    // The differences as inputs of a view, in changes_.
    void list_changes(data::SwiftView view);
    [[nodiscard]] float project(const chess::Position& position, const std::int16_t* white,
                                const std::int16_t* black) const;

    const nn::SwiftInteger& net_;
    data::SwiftFeatureSet features_;
    std::span<const float> axis_;
    std::vector<Anchor> anchors_;  // [side][mirrored]
    std::uint64_t stamps_ = 0;     // given so far
    Differences differences_;
    nn::InputChanges changes_;
    AlignedVector<std::int16_t> scratch_;
};

}  // namespace solis::model
