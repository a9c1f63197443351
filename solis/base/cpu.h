// What this CPU can do, asked at run time so that one binary serves every machine.
#pragma once
#include <string>

namespace solis {

// True where PEXT exists and is not microcoded (AMD before Zen 3 needs hundreds of cycles for it).
// SOLIS_NO_PEXT in the environment turns it off, to compare and to test the other way.
[[nodiscard]] bool cpu_has_fast_pext();

// The best vector instruction set, for example "AVX2".
[[nodiscard]] std::string cpu_simd_name();

}  // namespace solis
