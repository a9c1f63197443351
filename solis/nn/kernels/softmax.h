// Softmax over the columns of panel matrices: vectors hold neighbouring columns, so no sum or
// maximum ever goes across a vector.
#pragma once
#include "solis/nn/kernels/bf16_panels.h"

namespace solis::nn {

// In place: each column becomes the softmax of `scale` (> 0) times itself. Columns that only fill
// the last panel are treated alike.
void softmax_columns(Panels s, float scale);
// d, the gradient of the probabilities p, becomes that of what softmax_columns was given.
void softmax_columns_backward(ConstPanels p, float scale, Panels d);

// Results in bfloat16, as BasicBf16Rows and BasicBf16Pairs have them; either may be null.
struct Bf16Copies {
    Bf16* rows;
    Bf16* pairs;
};
// The same in one pass with rounding. The gradient gets no other place.
void softmax_columns(Panels s, float scale, const Bf16Copies& copies);
void softmax_columns_backward(ConstPanels p, float scale, ConstPanels d, const Bf16Copies& copies);

// Softmax where what is multiplied by it can be scaled instead: e^(scale times what is below the
// largest of its column), and one over the sum of each column of whole panels.
void column_exponentials(ConstPanels s, float scale, Bf16Pairs out, float* shares);
// Each row times its factor.
void scale_rows(Panels x, const float* factors);

}  // namespace solis::nn
