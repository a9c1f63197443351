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
    // Accumulators of one view together with the board they stand for.
    struct Anchor {
        std::array<chess::Piece, 64> board;
        data::SwiftPlanes planes;
        AlignedVector<std::int16_t> sums;
    };
    // A position and what its views need.
    struct Seen {
        const chess::Position& position;
        data::SwiftPlanes planes;
    };

    [[nodiscard]] Seen look(const chess::Position& position) const;
    [[nodiscard]] Anchor& anchor(data::SwiftView view);
    // Brings the anchor of a view to the position.
    Anchor& follow(const Seen& seen, data::SwiftView view);
    // Accumulators of one view of a child: a few rows away from its parent's anchor.
    const std::int16_t* sums_near(const Seen& child, data::SwiftView view,
                                  const Anchor* parent_anchor, data::SwiftView parent_view,
                                  std::int16_t* scratch);
    void find_changes(const Anchor& from, const Seen& to, data::SwiftView view);

    const nn::SwiftInteger& net_;
    data::SwiftFeatureSet features_;
    std::span<const float> axis_;
    std::vector<Anchor> anchors_;  // [side][mirrored][zone]
    nn::InputChanges changes_;
    AlignedVector<std::int16_t> scratch_;
};

}  // namespace solis::model
