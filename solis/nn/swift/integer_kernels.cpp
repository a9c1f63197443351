// Integer kernels through Highway.
#include "solis/nn/swift/integer_kernels.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/swift/integer_kernels.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/dot2-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// At most 32 lanes: a row is then always whole vectors.
using ShortsTag = hn::CappedTag<std::int16_t, 32>;
using Shorts = hn::Vec<ShortsTag>;
using FloatsTag = hn::CappedTag<float, 8>;

HWY_INLINE Shorts load_row(ShortsTag d, const std::int16_t* HWY_RESTRICT row) {
    return hn::Load(d, row);
}
HWY_INLINE Shorts load_row(ShortsTag d, const std::int8_t* HWY_RESTRICT row) {
    return hn::PromoteTo(d, hn::Load(hn::Rebind<std::int8_t, ShortsTag>(), row));
}

// Columns [first, first + Vectors x lanes) of all rows of one table.
template <std::size_t Vectors, class Integer>
HWY_INLINE void change_columns(const TableChanges<Integer>& changes, std::size_t width,
                               std::size_t first, Shorts (&sums)[Vectors]) {
    const ShortsTag d;
    const std::size_t lanes = hn::Lanes(d);
    const RowChanges& rows = changes.rows;
    for (std::size_t n = 0; n < rows.added_count; ++n) {
        const Integer* const row = changes.table + rows.added[n] * width + first;
        for (std::size_t v = 0; v < Vectors; ++v) {
            sums[v] = hn::Add(sums[v], load_row(d, row + v * lanes));
        }
    }
    for (std::size_t n = 0; n < rows.removed_count; ++n) {
        const Integer* const row = changes.table + rows.removed[n] * width + first;
        for (std::size_t v = 0; v < Vectors; ++v) {
            sums[v] = hn::Sub(sums[v], load_row(d, row + v * lanes));
        }
    }
}

// The same columns of both tables; the sums stay in registers meanwhile.
template <std::size_t Vectors>
HWY_INLINE void update_columns(const TableChanges<std::int16_t>& wide,
                               const TableChanges<std::int8_t>& bytes, std::size_t width,
                               std::size_t first, const std::int16_t* from, std::int16_t* to) {
    const ShortsTag d;
    const std::size_t lanes = hn::Lanes(d);
    Shorts sums[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) sums[v] = hn::Load(d, from + first + v * lanes);
    change_columns(wide, width, first, sums);
    change_columns(bytes, width, first, sums);
    for (std::size_t v = 0; v < Vectors; ++v) hn::Store(sums[v], d, to + first + v * lanes);
}

// The fewer times the changes are gone through, the better: eight vectors at a time are 256 columns
// with AVX-512, and half of the registers where there are only sixteen.
void update_rows_kernel(const TableChanges<std::int16_t>& wide,
                        const TableChanges<std::int8_t>& bytes, std::size_t width,
                        const std::int16_t* from, std::int16_t* to) {
    const std::size_t lanes = hn::Lanes(ShortsTag());
    std::size_t i = 0;
    for (; i + 8 * lanes <= width; i += 8 * lanes) {
        update_columns<8>(wide, bytes, width, i, from, to);
    }
    for (; i < width; i += 2 * lanes) update_columns<2>(wide, bytes, width, i, from, to);
}

HWY_INLINE Shorts clamped(ShortsTag d, const std::int16_t* sums, int shift) {
    const Shorts top = hn::Set(d, static_cast<std::int16_t>(kAccumulatorOne >> shift));
    const Shorts v = hn::Min(hn::Max(hn::Load(d, sums), hn::Zero(d)), top);
    return hn::ShiftLeftSame(v, shift + kActivationBits);
}

void activate_squared_kernel(const std::int16_t* HWY_RESTRICT sums, std::size_t width, int shift,
                             std::int16_t* HWY_RESTRICT out) {
    const ShortsTag d;
    for (std::size_t i = 0; i < width; i += hn::Lanes(d)) {
        const Shorts v = clamped(d, sums + i, shift);
        hn::Store(hn::MulFixedPoint15(v, v), d, out + i);
    }
}

void activate_pairs_kernel(const std::int16_t* HWY_RESTRICT sums, std::size_t width, int shift,
                           std::int16_t* HWY_RESTRICT out) {
    const ShortsTag d;
    const std::size_t half = width / 2;
    for (std::size_t i = 0; i < half; i += hn::Lanes(d)) {
        const Shorts a = clamped(d, sums + i, shift), b = clamped(d, sums + half + i, shift);
        hn::Store(hn::MulFixedPoint15(a, b), d, out + i);
    }
}

constexpr std::size_t kMaxPairs = kMaxHidden / 2;

// Which bits of a byte are set, lowest first; what comes after them means nothing.
struct BitLists {
    std::uint16_t of[256][8];
};
constexpr BitLists kBitLists = [] {
    BitLists lists{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::size_t size = 0;
        for (unsigned bit = 0; bit < 8; ++bit) {
            if (byte >> bit & 1) lists.of[byte][size++] = static_cast<std::uint16_t>(bit);
        }
    }
    return lists;
}();

// One bit for each pair of activations that are not both 0.
HWY_INLINE void find_active(const std::int16_t* HWY_RESTRICT x, std::size_t pairs,
                            std::uint8_t* HWY_RESTRICT bytes) {
    const IntsTag d;
    const std::size_t lanes = hn::Lanes(d);
    const auto is_active = [&](std::size_t i) HWY_ATTR {
        return hn::Ne(hn::BitCast(d, hn::LoadU(PairsTag(), x + 2 * i)), hn::Zero(d));
    };
    if (lanes >= 8) {
        for (std::size_t i = 0; i < pairs; i += lanes) {
            hn::StoreMaskBits(d, is_active(i), bytes + i / 8);
        }
        return;
    }
    for (std::size_t i = 0; i < pairs; i += 8) {
        unsigned byte = 0;
        for (std::size_t j = 0; j < 8; j += lanes) {
            std::uint8_t bits[8];
            hn::StoreMaskBits(d, is_active(i + j), bits);
            byte |= static_cast<unsigned>(bits[0]) << j;
        }
        bytes[i / 8] = static_cast<std::uint8_t>(byte);
    }
}

// The numbers of those pairs. They are written down first, eight at a time, because a loop over all
// of them is mispredicted once, where a branch for each pair would be so for many.
HWY_INLINE std::span<const std::uint16_t> list_active(const std::int16_t* HWY_RESTRICT x,
                                                      std::size_t pairs,
                                                      std::uint16_t* HWY_RESTRICT list) {
    std::uint8_t bytes[kMaxPairs / 8];
    find_active(x, pairs, bytes);
    const hn::FixedTag<std::uint16_t, 8> d;
    std::size_t size = 0;
    for (std::size_t i = 0; i < pairs / 8; ++i) {
        const auto numbers = hn::LoadU(d, kBitLists.of[bytes[i]]);
        hn::StoreU(hn::Add(numbers, hn::Set(d, static_cast<std::uint16_t>(8 * i))), d, list + size);
        size += static_cast<std::size_t>(std::popcount(bytes[i]));
    }
    return {list, size};
}

// What the output layer multiplies: activations, the numbers of the pairs that count, and weights.
struct OutputTerms {
    const std::int16_t* HWY_RESTRICT x;
    std::span<const std::uint16_t> active;
    const std::int16_t* HWY_RESTRICT weight;
    std::size_t dims;
};

// Columns [first, first + Vectors x lanes) of the output layer. Sum number K, of eight, is that of
// vector K % Vectors over one of some pairs that are taken at once: adding to the same sum, each
// pair would have to wait for the one before it.
template <class Dot, std::size_t Vectors>
class OutputColumns {
  public:
    OutputColumns(const OutputTerms& terms, std::size_t first) : terms_(terms), first_(first) {}

    HWY_INLINE void add_up(std::int32_t* HWY_RESTRICT sums) const {
        const IntsTag d;
        const std::size_t lanes = hn::Lanes(d), size = terms_.active.size();
        Ints s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
        std::size_t i = 0;
        for (; i + kPairs <= size; i += kPairs) {
            add<0, kPairs>(i, s0), add<1, kPairs>(i, s1), add<2, kPairs>(i, s2);
            add<3, kPairs>(i, s3), add<4, kPairs>(i, s4), add<5, kPairs>(i, s5);
            add<6, kPairs>(i, s6), add<7, kPairs>(i, s7);
        }
        for (; i < size; ++i) {
            add<0, 1>(i, s0), add<1, 1>(i, s1), add<2, 1>(i, s2), add<3, 1>(i, s3);
        }
        if constexpr (Vectors <= 4) {
            s0 = hn::Add(s0, s4), s1 = hn::Add(s1, s5), s2 = hn::Add(s2, s6), s3 = hn::Add(s3, s7);
        }
        if constexpr (Vectors <= 2) s0 = hn::Add(s0, s2), s1 = hn::Add(s1, s3);
        if constexpr (Vectors <= 1) s0 = hn::Add(s0, s1);
        std::int32_t* const to = sums + first_;
        hn::StoreU(s0, d, to);
        if constexpr (Vectors > 1) hn::StoreU(s1, d, to + lanes);
        if constexpr (Vectors > 2) hn::StoreU(s2, d, to + 2 * lanes);
        if constexpr (Vectors > 2) hn::StoreU(s3, d, to + 3 * lanes);
        if constexpr (Vectors > 4) hn::StoreU(s4, d, to + 4 * lanes);
        if constexpr (Vectors > 4) hn::StoreU(s5, d, to + 5 * lanes);
        if constexpr (Vectors > 4) hn::StoreU(s6, d, to + 6 * lanes);
        if constexpr (Vectors > 4) hn::StoreU(s7, d, to + 7 * lanes);
    }

  private:
    using Ints = hn::Vec<IntsTag>;
    static constexpr std::size_t kPairs = HWY_MIN(8 / Vectors, 4);

    template <std::size_t K, std::size_t Pairs>
    HWY_INLINE void add(std::size_t i, Ints& sum) const {
        constexpr std::size_t kPair = K / Vectors, kVector = K % Vectors;
        if constexpr (kPair < Pairs) {
            const PairsTag d;
            const std::size_t pair = terms_.active[i + kPair];
            std::int32_t two;
            std::memcpy(&two, terms_.x + 2 * pair, sizeof(two));
            const std::int16_t* const w = terms_.weight + 2 * (pair * terms_.dims + first_);
            Dot::add(sum, hn::BitCast(d, hn::Set(IntsTag(), two)),
                     hn::LoadU(d, w + kVector * hn::Lanes(d)));
        }
    }

    OutputTerms terms_;
    std::size_t first_;
};

constexpr std::size_t kMaxDims = 1024;

// All columns in whole vectors. Returns how many they are.
template <class Dot>
HWY_INLINE std::size_t output_vectors(const OutputTerms& terms, std::int32_t* HWY_RESTRICT sums) {
    const std::size_t lanes = hn::Lanes(IntsTag()), dims = terms.dims;
    std::size_t j = 0;
    for (; j + 8 * lanes <= dims; j += 8 * lanes) OutputColumns<Dot, 8>(terms, j).add_up(sums);
    for (; j + 4 * lanes <= dims; j += 4 * lanes) OutputColumns<Dot, 4>(terms, j).add_up(sums);
    for (; j + 2 * lanes <= dims; j += 2 * lanes) OutputColumns<Dot, 2>(terms, j).add_up(sums);
    for (; j + lanes <= dims; j += lanes) OutputColumns<Dot, 1>(terms, j).add_up(sums);
    return j;
}

void output_layer_kernel(const std::int16_t* HWY_RESTRICT x, std::size_t hidden,
                         const std::int16_t* HWY_RESTRICT weight, const float* HWY_RESTRICT scale,
                         const float* HWY_RESTRICT bias, std::size_t dims, float* HWY_RESTRICT y) {
    alignas(64) std::int32_t sums[kMaxDims];
    std::uint16_t list[kMaxPairs + 8];
    const OutputTerms terms{x, list_active(x, hidden / 2, list), weight, dims};
    std::size_t j = 0;
    with_best_dot2([&](auto dot) HWY_ATTR { j = output_vectors<decltype(dot)>(terms, sums); });
    for (; j < dims; ++j) {
        sums[j] = 0;
        for (std::size_t k = 0; k < hidden; ++k) {
            sums[j] += x[k] * weight[(k - k % 2) * dims + 2 * j + k % 2];
        }
    }
    const FloatsTag d;
    const hn::Rebind<std::int32_t, FloatsTag> d32;
    for (std::size_t i = 0; i < dims; i += hn::Lanes(d)) {
        const auto sum = hn::ConvertTo(d, hn::LoadU(d32, sums + i));
        hn::StoreU(hn::MulAdd(sum, hn::LoadU(d, scale + i), hn::LoadU(d, bias + i)), d, y + i);
    }
}

float cosine_kernel(const float* HWY_RESTRICT y, const float* HWY_RESTRICT axis, std::size_t dims) {
    const FloatsTag d;
    auto along = hn::Zero(d), square = hn::Zero(d);
    for (std::size_t i = 0; i < dims; i += hn::Lanes(d)) {
        const auto v = hn::LoadU(d, y + i);
        along = hn::MulAdd(v, hn::LoadU(d, axis + i), along);
        square = hn::MulAdd(v, v, square);
    }
    const float length = std::sqrt(hn::GetLane(hn::SumOfLanes(d, square)));
    return hn::GetLane(hn::SumOfLanes(d, along)) / (length > 1e-12f ? length : 1e-12f);
}

std::uint64_t changed_words_kernel(const std::uint64_t* HWY_RESTRICT a,
                                   const std::uint64_t* HWY_RESTRICT b, std::uint64_t mask) {
    const hn::CappedTag<std::uint64_t, 8> d;
    const auto masks = hn::Set(d, mask);
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
        const auto x = hn::LoadU(d, a + i), y = hn::LoadU(d, b + i);
        const auto differs = hn::Or(hn::Xor(x, y), hn::And(hn::Or(x, y), masks));
        std::uint8_t bits[8];
        hn::StoreMaskBits(d, hn::Ne(differs, hn::Zero(d)), bits);
        changed |= static_cast<std::uint64_t>(bits[0]) << i;
    }
    return changed;
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(update_rows_kernel);
HWY_EXPORT(activate_squared_kernel);
HWY_EXPORT(activate_pairs_kernel);
HWY_EXPORT(output_layer_kernel);
HWY_EXPORT(cosine_kernel);
HWY_EXPORT(changed_words_kernel);

void update_rows(const TableChanges<std::int16_t>& wide, const TableChanges<std::int8_t>& bytes,
                 std::size_t width, const std::int16_t* from, std::int16_t* to) {
    HWY_DYNAMIC_DISPATCH(update_rows_kernel)(wide, bytes, width, from, to);
}
void activate_squared(const std::int16_t* sums, std::size_t width, int shift, std::int16_t* out) {
    HWY_DYNAMIC_DISPATCH(activate_squared_kernel)(sums, width, shift, out);
}
void activate_pairs(const std::int16_t* sums, std::size_t width, int shift, std::int16_t* out) {
    HWY_DYNAMIC_DISPATCH(activate_pairs_kernel)(sums, width, shift, out);
}
void output_layer(const std::int16_t* x, std::size_t hidden, const std::int16_t* weight,
                  const float* scale, const float* bias, std::size_t dims, float* y) {
    HWY_DYNAMIC_DISPATCH(output_layer_kernel)(x, hidden, weight, scale, bias, dims, y);
}
float cosine_with_unit(const float* y, const float* axis, std::size_t dims) {
    return HWY_DYNAMIC_DISPATCH(cosine_kernel)(y, axis, dims);
}
std::uint64_t changed_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t mask) {
    return HWY_DYNAMIC_DISPATCH(changed_words_kernel)(a, b, mask);
}

}  // namespace solis::nn
#endif
