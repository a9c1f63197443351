// Makes a trained swift network a cheaper one of fewer dimensions to go on training with.
#pragma once
#include "solis/nn/swift/net.h"

namespace solis::nn {

// Gives `small` the weights of `large`, projected on a subspace of its dimensions: the first two,
// in which the landmarks of training lie, and of the others those directions that the tail reads
// most, or without a tail that the output layer writes most. What is left of the embedding changes
// little, where a smaller network learns everything again. False where the networks differ in more
// than that, or where `small` has no fewer dimensions; `small` is then as it was.
bool shrink(const SwiftShape& large_shape, const SwiftWeights& large, const SwiftShape& small_shape,
            SwiftWeights& small);

}  // namespace solis::nn
