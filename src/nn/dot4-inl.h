// sum + (four unsigned bytes) . (four signed bytes) in each 32-bit lane: an operation that this
// version of Highway lacks. Unsigned values must not exceed 127, so that no pair overflows 16 bits.
#if defined(SOLIS_NN_DOT4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOLIS_NN_DOT4_INL_H_
#undef SOLIS_NN_DOT4_INL_H_
#else
#define SOLIS_NN_DOT4_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using BytesTag = hn::ScalableTag<std::uint8_t>;
using SignedBytesTag = hn::ScalableTag<std::int8_t>;
using IntsTag = hn::ScalableTag<std::int32_t>;

#if HWY_TARGET == HWY_AVX2
HWY_INLINE hn::Vec<IntsTag> dot4(hn::Vec<IntsTag> sum, hn::Vec<BytesTag> a,
                                 hn::Vec<SignedBytesTag> b) {
    const __m256i pairs = _mm256_maddubs_epi16(a.raw, b.raw);
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    return hn::Vec<IntsTag>{_mm256_add_epi32(sum.raw, fours)};
}
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
HWY_INLINE hn::Vec<IntsTag> dot4(hn::Vec<IntsTag> sum, hn::Vec<BytesTag> a,
                                 hn::Vec<SignedBytesTag> b) {
    const __m128i pairs = _mm_maddubs_epi16(a.raw, b.raw);
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi16(1));
    return hn::Vec<IntsTag>{_mm_add_epi32(sum.raw, fours)};
}
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
HWY_INLINE hn::Vec<IntsTag> dot4(hn::Vec<IntsTag> sum, hn::Vec<BytesTag> a,
                                 hn::Vec<SignedBytesTag> b) {
    const __m512i pairs = _mm512_maddubs_epi16(a.raw, b.raw);
    const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
    return hn::Vec<IntsTag>{_mm512_add_epi32(sum.raw, fours)};
}
#else
// Even and odd bytes apart, by shifts inside 16-bit lanes; then the pairs of 16-bit products.
HWY_INLINE hn::Vec<IntsTag> dot4(hn::Vec<IntsTag> sum, hn::Vec<BytesTag> a,
                                 hn::Vec<SignedBytesTag> b) {
    const hn::ScalableTag<std::int16_t> d16;
    const IntsTag d32;
    const auto a16 = hn::BitCast(d16, a), b16 = hn::BitCast(d16, b);
    const auto a_even = hn::And(a16, hn::Set(d16, 0xFF));
    const auto a_odd = hn::ShiftRight<8>(a16);  // a is at most 127, so no sign appears
    const auto b_even = hn::ShiftRight<8>(hn::ShiftLeft<8>(b16));
    const auto b_odd = hn::ShiftRight<8>(b16);
    const auto pairs = hn::Add(hn::Mul(a_even, b_even), hn::Mul(a_odd, b_odd));
    const auto p32 = hn::BitCast(d32, pairs);
    const auto low = hn::ShiftRight<16>(hn::ShiftLeft<16>(p32));
    return hn::Add(sum, hn::Add(low, hn::ShiftRight<16>(p32)));
}
#endif

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
