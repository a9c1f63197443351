// exp for arguments that are not positive, as softmax and GELU need it: 2e-7 relative error. What
// is below exp(-87) becomes that, which no float sum beside 1 can tell from 0.
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

// x <= 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_of_negative(D d, V x) {
    const hn::RebindToSigned<D> di;
    x = hn::Max(x, hn::Set(d, -87.0f));
    const auto n = hn::NearestInt(hn::Mul(x, hn::Set(d, 1.44269504f)));
    const V whole = hn::ConvertTo(d, n);
    // x - n log 2 in two steps: the second constant is what the first one lacks.
    V r = hn::NegMulAdd(whole, hn::Set(d, 0.693359375f), x);
    r = hn::NegMulAdd(whole, hn::Set(d, -2.12194440e-4f), r);
    // Degree 5 with the least relative error on +- log(2) / 2, 1.1e-7.
    V p = hn::Set(d, 8.312477730e-3f);
    p = hn::MulAdd(p, r, hn::Set(d, 4.1890550405e-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 1.6667115688e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 4.9999228120e-1f));
    p = hn::MulAdd(p, hn::Mul(r, r), hn::Add(r, hn::Set(d, 1.0f)));
    // Adding to the exponent bits multiplies by 2^n.
    return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(n)));
}

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
