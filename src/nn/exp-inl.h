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

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
