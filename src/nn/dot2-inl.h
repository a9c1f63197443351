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

#if HWY_TARGET == HWY_AVX2
HWY_INLINE hn::Vec<IntsTag> dot2(hn::Vec<IntsTag> sum, hn::Vec<PairsTag> a, hn::Vec<PairsTag> b) {
    return hn::Vec<IntsTag>{_mm256_add_epi32(sum.raw, _mm256_madd_epi16(a.raw, b.raw))};
}
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
HWY_INLINE hn::Vec<IntsTag> dot2(hn::Vec<IntsTag> sum, hn::Vec<PairsTag> a, hn::Vec<PairsTag> b) {
    return hn::Vec<IntsTag>{_mm_add_epi32(sum.raw, _mm_madd_epi16(a.raw, b.raw))};
}
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
HWY_INLINE hn::Vec<IntsTag> dot2(hn::Vec<IntsTag> sum, hn::Vec<PairsTag> a, hn::Vec<PairsTag> b) {
    return hn::Vec<IntsTag>{_mm512_add_epi32(sum.raw, _mm512_madd_epi16(a.raw, b.raw))};
}
#else
// Even and odd values apart, sign-extended by shifts inside 32-bit lanes.
HWY_INLINE hn::Vec<IntsTag> dot2(hn::Vec<IntsTag> sum, hn::Vec<PairsTag> a, hn::Vec<PairsTag> b) {
    const IntsTag d;
    const auto a32 = hn::BitCast(d, a), b32 = hn::BitCast(d, b);
    const auto even = hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a32)),
                              hn::ShiftRight<16>(hn::ShiftLeft<16>(b32)));
    const auto odd = hn::Mul(hn::ShiftRight<16>(a32), hn::ShiftRight<16>(b32));
    return hn::Add(sum, hn::Add(even, odd));
}
#endif

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
