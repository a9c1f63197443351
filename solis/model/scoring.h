// The paper's two scoring mechanisms.
#pragma once
#include <cstdint>
#include <string_view>

namespace solis::model {

// They differ by a constant. The paper and the UCI option Scoring call the first "directional".
enum class Scoring : std::uint8_t {
    Unanchored,  // <z, a>
    Anchored     // <z - mu_black, a>
};

[[nodiscard]] constexpr std::string_view to_string(Scoring scoring) {
    return scoring == Scoring::Anchored ? "anchored" : "unanchored";
}

}  // namespace solis::model
