// GELU with the error function, x * Phi(x), and dropout: the element-wise parts of a transformer.
#pragma once
#include <cstdint>
#include <span>

namespace solis::nn {

// out[i] = gelu(x[i]), to 1.4e-6 (of x where that is above 12). out may be x.
void gelu(std::span<const float> x, float* out);
// out[i] = gelu(x[i]) and d[i] *= gelu'(x[i]).
void gelu_backward(std::span<const float> x, float* out, float* d);

// Keeps x[i] / (1 - rate) or makes it 0, decided by `key` and i alone: the same call on a gradient
// is the way back. Element i is dropped where dropout_hash(key, i) < rate * 2^32.
void drop(std::span<float> x, float rate, std::uint32_t key);
[[nodiscard]] std::uint32_t dropout_hash(std::uint32_t key, std::uint32_t element);

}  // namespace solis::nn
