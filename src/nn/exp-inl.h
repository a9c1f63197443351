// exp for arguments that are not positive, as softmax and GELU need it: 2e-7 relative error, 0
// below -87 instead of denormals. About a third of the instructions of Highway's.
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

// x <= 0, or NaN, which comes back.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_of_negative(D d, V x) {
    const hn::RebindToSigned<D> di;
    const V low = hn::Set(d, -87.0f);
    const auto underflow = hn::Lt(x, low);
    const V n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
    // x - n log 2 in two steps: the second constant is what the first one lacks.
    V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
    r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
    V p = hn::Set(d, 1.9875691500e-4f);
    p = hn::MulAdd(p, r, hn::Set(d, 1.3981999507e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1f));
    p = hn::MulAdd(p, hn::Mul(r, r), hn::Add(r, hn::Set(d, 1.0f)));
    // Adding to the exponent bits multiplies by 2^n.
    const auto bits = hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::ConvertTo(di, n)));
    return hn::IfThenZeroElse(underflow, hn::IfThenElse(hn::IsNaN(x), x, hn::BitCast(d, bits)));
}

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
