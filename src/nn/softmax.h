// Softmax of attention over the rows of panel matrices.
#pragma once
#include "nn/panels.h"

namespace solis::nn {

// Each row x becomes softmax(scale * x); columns beyond s.cols become 0.
void softmax_rows(Panels s, float scale);
// d, the gradient of the probabilities p, becomes that of what softmax_rows was given.
void softmax_rows_backward(ConstPanels p, float scale, Panels d);

}  // namespace solis::nn
