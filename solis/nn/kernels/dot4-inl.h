// sum + (four unsigned bytes) . (four signed bytes) in each 32-bit lane. The unsigned bytes must be
// at most 127: two products then fit in 16 bits, which instructions before VNNI need.
#if defined(SOLIS_NN_DOT4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOLIS_NN_DOT4_INL_H_
#undef SOLIS_NN_DOT4_INL_H_
#else
#define SOLIS_NN_DOT4_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes, so that 16 outputs are always whole vectors.
using QuadSumsTag = hn::CappedTag<std::int32_t, 16>;
using QuadSums = hn::Vec<QuadSumsTag>;

// Byte by byte, sign-extended by shifts inside 32-bit lanes.
struct Dot4 {
    template <class IntVec>
    static HWY_INLINE void add(IntVec& sum, IntVec bytes, IntVec weights) {
        sum = hn::Add(sum, hn::Add(hn::Add(part<24>(bytes, weights), part<16>(bytes, weights)),
                                   hn::Add(part<8>(bytes, weights), part<0>(bytes, weights))));
    }

  private:
    template <int kLeft, class IntVec>
    static HWY_INLINE IntVec part(IntVec bytes, IntVec weights) {
        return hn::Mul(hn::ShiftRight<24>(hn::ShiftLeft<kLeft>(bytes)),
                       hn::ShiftRight<24>(hn::ShiftLeft<kLeft>(weights)));
    }
};

// Three instructions where there are such.
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
struct FastDot4 {
    static HWY_INLINE void add(QuadSums& sum, QuadSums bytes, QuadSums weights) {
        const __m128i pairs = _mm_maddubs_epi16(bytes.raw, weights.raw);
        sum.raw = _mm_add_epi32(sum.raw, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
    }
};
#elif HWY_TARGET == HWY_AVX2
struct FastDot4 {
    static HWY_INLINE void add(QuadSums& sum, QuadSums bytes, QuadSums weights) {
        const __m256i pairs = _mm256_maddubs_epi16(bytes.raw, weights.raw);
        sum.raw = _mm256_add_epi32(sum.raw, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
};
#elif HWY_TARGET == HWY_AVX3
struct FastDot4 {
    static HWY_INLINE void add(QuadSums& sum, QuadSums bytes, QuadSums weights) {
        const __m512i pairs = _mm512_maddubs_epi16(bytes.raw, weights.raw);
        sum.raw = _mm512_add_epi32(sum.raw, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
    }
};
// One instruction. Highway's own target for VNNI also lets compilers use AVX-VNNI, which not all
// machines with AVX-512 VNNI have.
struct VnniDot4 {
    static HWY_INLINE void add(QuadSums& sum, QuadSums bytes, QuadSums weights) {
        asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(bytes.raw), "v"(weights.raw));
    }
};
#else
using FastDot4 = Dot4;
#endif

// Calls use(the best of them on this machine).
template <class Use>
HWY_INLINE void with_best_dot4(Use&& use) {
#if HWY_TARGET == HWY_AVX3
    static const bool has_vnni = __builtin_cpu_supports("avx512vnni") != 0;
    if (has_vnni) return use(VnniDot4());
#endif
    use(FastDot4());
}

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
