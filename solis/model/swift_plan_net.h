// The swift network as plans use it: in integers, and with one row for each input.
//
// Training gives a piece two rows where there are zones of the king, one that all zones share and
// one of its zone, so that zones which are rare learn from the others. A plan wants the sum of
// both.
#pragma once
#include "solis/base/result.h"
#include "solis/data/inputs/swift_features.h"
#include "solis/nn/swift/integer.h"
#include "solis/nn/swift/net.h"

namespace solis::model {

// Where the rows of a plan's network begin: those of plane 0 for every zone, then those of the
// other planes, then control.
struct SwiftRows {
    data::SwiftFeatureSet features;

    [[nodiscard]] int zones() const { return data::has_zones(features) ? data::kKingZones : 1; }
    // Control counts as the plane after the last.
    [[nodiscard]] int first(int plane, data::SwiftView view) const {
        return (plane == 0 ? view.zone : zones() - 1 + plane) * data::kInputsPerPlane;
    }
};

struct SwiftPlanWeights {
    nn::SwiftShape shape;
    nn::SwiftWeights weights;
};
// The rows of a plan's network, in float.
[[nodiscard]] SwiftPlanWeights plan_weights(data::SwiftFeatureSet features,
                                            const nn::SwiftShape& shape,
                                            const nn::SwiftWeights& weights);

// Largest absolute value that any accumulator of a plan's network can take: at most 32 squares are
// occupied, each by one piece with any of its planes, and every kind of piece attacks what so many
// of its kind can. What nn::SwiftInteger::quantize needs to know.
[[nodiscard]] float accumulator_reach(data::SwiftFeatureSet features, const nn::SwiftShape& shape,
                                      const nn::SwiftWeights& weights);

// The network that a SwiftEvaluator takes, from one as it is trained.
[[nodiscard]] Result<nn::SwiftInteger> quantize_for_plans(data::SwiftFeatureSet features,
                                                          const nn::SwiftShape& shape,
                                                          const nn::SwiftWeights& weights);

}  // namespace solis::model
