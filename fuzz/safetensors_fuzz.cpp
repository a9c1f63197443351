// Any bytes either are refused or parse to tensors that survive a round trip.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "solis/nn/io/safetensors.h"

namespace nn = solis::nn;

namespace {

// By bits: NaN is a value like any other here.
bool same(const nn::Tensor& a, const nn::Tensor& b) {
    return a.name == b.name && a.shape == b.shape && a.values.size() == b.values.size() &&
           (a.values.empty() ||
            std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0);
}

}  // namespace

int safetensors_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto file = nn::parse_safetensors(bytes);
    if (!file) return 0;
    const auto again = nn::parse_safetensors(nn::to_safetensors(*file));
    if (!again || again->metadata != file->metadata) std::abort();
    if (again->tensors.size() != file->tensors.size()) std::abort();
    for (const nn::Tensor& tensor : file->tensors) {
        const nn::Tensor* found = again->find(tensor.name);
        if (found == nullptr || !same(*found, tensor)) std::abort();
    }
    return 0;
}
