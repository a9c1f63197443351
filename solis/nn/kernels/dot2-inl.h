// sum + (two signed 16-bit values) . (two of another vector) in each 32-bit lane: an operation that
// this version of Highway lacks. The sum of both products must fit in 32 bits.
#if defined(SOLIS_NN_DOT2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOLIS_NN_DOT2_INL_H_
#undef SOLIS_NN_DOT2_INL_H_
#else
#define SOLIS_NN_DOT2_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using PairsTag = hn::ScalableTag<std::int16_t>;
using IntsTag = hn::ScalableTag<std::int32_t>;

// Even and odd values apart, sign-extended by shifts inside 32-bit lanes.
template <class IntVec, class PairVec>
HWY_INLINE IntVec dot2(IntVec sum, PairVec a, PairVec b) {
    const hn::DFromV<IntVec> d;
    const auto a32 = hn::BitCast(d, a), b32 = hn::BitCast(d, b);
    const auto even = hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a32)),
                              hn::ShiftRight<16>(hn::ShiftLeft<16>(b32)));
    const auto odd = hn::Mul(hn::ShiftRight<16>(a32), hn::ShiftRight<16>(b32));
    return hn::Add(sum, hn::Add(even, odd));
}

// One instruction each where there is one.
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
HWY_INLINE hn::Vec128<std::int32_t> dot2(hn::Vec128<std::int32_t> sum, hn::Vec128<std::int16_t> a,
                                         hn::Vec128<std::int16_t> b) {
    return hn::Vec128<std::int32_t>{_mm_add_epi32(sum.raw, _mm_madd_epi16(a.raw, b.raw))};
}
#endif
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
HWY_INLINE hn::Vec256<std::int32_t> dot2(hn::Vec256<std::int32_t> sum, hn::Vec256<std::int16_t> a,
                                         hn::Vec256<std::int16_t> b) {
    // Added in place by name: as intrinsics, gcc 12 copies the sums of a loop and then runs out of
    // registers for them.
    __m256i products;
    asm("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0"
        : "+x"(sum.raw), "=&x"(products)
        : "x"(a.raw), "x"(b.raw));
    return sum;
}
#endif
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
HWY_INLINE hn::Vec512<std::int32_t> dot2(hn::Vec512<std::int32_t> sum, hn::Vec512<std::int16_t> a,
                                         hn::Vec512<std::int16_t> b) {
    return hn::Vec512<std::int32_t>{_mm512_add_epi32(sum.raw, _mm512_madd_epi16(a.raw, b.raw))};
}
#endif

struct Dot2 {
    template <class IntVec, class PairVec>
    static HWY_INLINE void add(IntVec& sum, PairVec a, PairVec b) {
        sum = dot2(sum, a, b);
    }
};

#if HWY_TARGET == HWY_AVX3
// AVX-512 VNNI multiplies and adds in one instruction. Highway's target that has it also lets
// compilers use AVX-VNNI, which not all such machines have.
struct Dot2Vnni {
    static HWY_INLINE void add(hn::Vec512<std::int32_t>& sum, hn::Vec512<std::int16_t> a,
                               hn::Vec512<std::int16_t> b) {
        asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    }
};

// Calls use(Dot2 or what is faster here).
template <class Use>
HWY_INLINE void with_best_dot2(Use&& use) {
    static const bool has_vnni = __builtin_cpu_supports("avx512vnni") != 0;
    if (has_vnni) return use(Dot2Vnni());
    use(Dot2());
}
#else
template <class Use>
HWY_INLINE void with_best_dot2(Use&& use) {
    use(Dot2());
}
#endif

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
