// Powers of two for exponents that are not positive, as softmax and GELU need them: 2e-7 relative
// error. What is below 2^-126 becomes that, which no float sum beside 1 can tell from 0.
#if defined(SOLIS_NN_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOLIS_NN_EXP_INL_H_
#undef SOLIS_NN_EXP_INL_H_
#else
#define SOLIS_NN_EXP_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// x <= 0. exp(y) is 2^(y / log 2): callers fold that factor into one they have anyway.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp2_of_negative(D d, V x) {
    const hn::RebindToSigned<D> di;
    x = hn::Max(x, hn::Set(d, -126.0f));
    const auto n = hn::NearestInt(x);
    const V r = hn::Sub(x, hn::ConvertTo(d, n));  // exact
    // Degree 5 with the least relative error on +- 1/2, 7.5e-8.
    V p = hn::Set(d, 1.32764719e-3f);
    p = hn::MulAdd(p, r, hn::Set(d, 9.67554133e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 5.55071327e-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 2.40221197e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 6.93146967e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 1.00000007f));
    // Adding to the exponent bits multiplies by 2^n.
    return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(n)));
}

// The same with 3e-6 relative error, for results that are rounded to 8 bits.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V coarse_exp2_of_negative(D d, V x) {
#if HWY_TARGET == HWY_AVX3
    const V n{_mm512_roundscale_ps(x.raw, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
#else
    x = hn::Max(x, hn::Set(d, -126.0f));
    const auto n_int = hn::NearestInt(x);
    const V n = hn::ConvertTo(d, n_int);
#endif
    const V r = hn::Sub(x, n);  // exact
    V p = hn::Set(d, 9.57010221e-3f);
    p = hn::MulAdd(p, r, hn::Set(d, 5.59178628e-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 2.40247443e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 6.93121791e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 9.99999285e-1f));
#if HWY_TARGET == HWY_AVX3
    return V{_mm512_scalef_ps(p.raw, n.raw)};
#else
    const hn::RebindToSigned<D> di;
    return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(n_int)));
#endif
}

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
