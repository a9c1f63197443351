// Any bytes, taken as .npz and as .npy, either are refused or survive a round trip.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/nn/io/npz.h"

namespace nn = solis::nn;

int npz_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (const auto array = nn::parse_npy(bytes)) {
        // Compared as bytes, because NaN differs from itself.
        const std::string written = nn::to_npy(*array);
        const auto again = nn::parse_npy(written);
        if (!again || nn::to_npy(*again) != written) std::abort();
    }
    const auto arrays = nn::parse_npz(bytes);
    if (!arrays) return 0;
    const auto written = nn::to_npz(*arrays);
    if (!written) std::abort();
    const auto again = nn::parse_npz(*written);
    if (!again || *nn::to_npz(*again) != *written) std::abort();
    return 0;
}
