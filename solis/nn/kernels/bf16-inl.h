// Rounding to bfloat16 and sums of products of pairs: by instructions of AVX-512 BF16 where the
// machine has them, which this version of Highway does not know.
#if defined(SOLIS_NN_BF16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOLIS_NN_BF16_INL_H_
#undef SOLIS_NN_BF16_INL_H_
#else
#define SOLIS_NN_BF16_INL_H_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "solis/nn/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Bf16Bits = hn::RebindToUnsigned<PanelTag>;

// Any machine. Two values are the halves of 32 bits, the first one the lower half.
struct AnyBf16 {
    using Float = hn::Vec<PanelTag>;
    using Bits = hn::Vec<Bf16Bits>;

    static HWY_INLINE void add(Float& sum, Bits a, Bits b) {
        const PanelTag d;
        const Bits upper = hn::Set(Bf16Bits(), 0xFFFF0000u);
        sum = hn::MulAdd(hn::BitCast(d, hn::ShiftLeft<16>(a)), hn::BitCast(d, hn::ShiftLeft<16>(b)),
                         sum);
        sum = hn::MulAdd(hn::BitCast(d, hn::And(a, upper)), hn::BitCast(d, hn::And(b, upper)), sum);
    }
    // Rounded to the nearest, ties to even, in the upper halves. What is not a number stays none.
    static HWY_INLINE Bits round(Float x) {
        const Bf16Bits du;
        const Bits bits = hn::BitCast(du, x);
        const Bits odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
        const Bits rounded = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFF)));
        const auto is_number = hn::RebindMask(du, hn::Eq(x, x));
        return hn::IfThenElse(is_number, rounded, hn::Set(du, 0x7FC00000u));
    }
    static HWY_INLINE Bits pair(Float first, Float second) {
        const Bits upper = hn::Set(Bf16Bits(), 0xFFFF0000u);
        return hn::Or(hn::ShiftRight<16>(round(first)), hn::And(round(second), upper));
    }
    static HWY_INLINE void store(Float x, std::uint16_t* to) {
        const hn::Rebind<std::uint16_t, PanelTag> d16;
        hn::StoreU(hn::TruncateTo(d16, hn::ShiftRight<16>(round(x))), d16, to);
    }
    // One vector behind the other.
    static HWY_INLINE void store_two(Float first, Float second, std::uint16_t* to) {
        store(first, to);
        store(second, to + hn::Lanes(PanelTag()));
    }
};

#if HWY_TARGET == HWY_AVX3
struct FastBf16 {
    using Float = hn::Vec<PanelTag>;
    using Bits = hn::Vec<Bf16Bits>;

    static HWY_INLINE void add(Float& sum, Bits a, Bits b) {
        asm("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    }
    static HWY_INLINE Bits both(Float first, Float second) {
        Bits bits;
        asm("vcvtne2ps2bf16 %1, %2, %0" : "=v"(bits.raw) : "v"(first.raw), "v"(second.raw));
        return bits;
    }
    static HWY_INLINE Bits pair(Float first, Float second) {
        alignas(64) static constexpr std::uint16_t kOrder[32] = {
            0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
            8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
        const __m512i order = _mm512_load_si512(kOrder);
        return Bits{_mm512_permutexvar_epi16(order, both(first, second).raw)};
    }
    static HWY_INLINE void store(Float x, std::uint16_t* to) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_castsi512_si256(both(x, x).raw));
    }
    static HWY_INLINE void store_two(Float first, Float second, std::uint16_t* to) {
        _mm512_storeu_si512(to, both(first, second).raw);
    }
};

// Calls use(what is faster here).
template <class Use>
HWY_INLINE void with_best_bf16(Use&& use) {
    static const bool has_bf16 = __builtin_cpu_supports("avx512bf16") != 0;
    if (has_bf16) return use(FastBf16());
    use(AnyBf16());
}
#else
template <class Use>
HWY_INLINE void with_best_bf16(Use&& use) {
    use(AnyBf16());
}
#endif

// Where two rows of a panel go; either may be null.
struct Bf16Places {
    std::uint16_t* rows;
    std::uint16_t* pairs;

    // The rows begin at `part` of the panel. Of a second row that is none, 0 becomes part of pairs.
    template <class Format>
    HWY_INLINE void store(hn::Vec<PanelTag> first, hn::Vec<PanelTag> second, bool has_second,
                          std::size_t part) const {
        if (pairs != nullptr) {
            hn::StoreU(Format::pair(first, second), Bf16Bits(),
                       reinterpret_cast<std::uint32_t*>(pairs + 2 * part));
        }
        if (rows == nullptr) return;
        if (kWholePanels && has_second) {
            Format::store_two(first, second, rows);
        } else {
            Format::store(first, rows + part);
            if (has_second) Format::store(second, rows + 16 + part);
        }
    }
    // To the next two rows.
    HWY_INLINE void advance() {
        if (rows != nullptr) rows += 32;
        if (pairs != nullptr) pairs += 32;
    }
};

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
