// CPU features through the compiler's own detection.
#include "solis/base/cpu.h"

#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace solis {

#if defined(__x86_64__)
namespace {

bool is_amd_before_zen3() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(0, &a, &b, &c, &d) == 0) return false;
    constexpr unsigned kAuthenticAmdEbx = 0x68747541;  // "Auth"
    if (b != kAuthenticAmdEbx) return false;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
    const unsigned family = (a >> 8 & 15) + (a >> 20 & 255);
    return family < 0x19;
}

}  // namespace

bool cpu_has_fast_pext() {
    __builtin_cpu_init();
    return std::getenv("SOLIS_NO_PEXT") == nullptr && __builtin_cpu_supports("bmi2") != 0 &&
           !is_amd_before_zen3();
}

std::string cpu_simd_name() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw")) return "AVX-512";
    if (__builtin_cpu_supports("avx2")) return "AVX2";
    return "SSE4.2";
}
#else
bool cpu_has_fast_pext() { return false; }

std::string cpu_simd_name() {
#if defined(__aarch64__)
    return "NEON";
#else
    return "scalar";
#endif
}
#endif

}  // namespace solis
