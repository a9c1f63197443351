// Layer normalisation over the rows of panel matrices, with the residual sum in front of it.
#pragma once
#include "solis/nn/kernels/panels.h"

namespace solis::nn {

// hat = (x + residual - mean) * scale, with scales[row] = 1 / sqrt(variance + 1e-5). hat may be
// either of the inputs.
void normalize_rows(ConstPanels x, ConstPanels residual, Panels hat, float* scales);
// out = hat * gain + bias, column by column. out may be hat.
void scale_and_shift(ConstPanels hat, const float* gain, const float* bias, Panels out);
// d, the gradient of scale_and_shift's result, becomes that of x + residual. Adds to the gradients
// of gain and bias.
void layer_norm_backward(ConstPanels hat, const float* scales, const float* gain, Panels d,
                         float* d_gain, float* d_bias);

}  // namespace solis::nn
