// Tiles of matrix products: rows of sums, as wide as a panel where vectors are, that stay in
// registers.
#if defined(SOLIS_NN_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOLIS_NN_TILE_INL_H_
#undef SOLIS_NN_TILE_INL_H_
#else
#define SOLIS_NN_TILE_INL_H_
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Floats of a panel that one vector takes: all 16 with AVX-512.
using PanelTag = hn::CappedTag<float, HWY_HAVE_SCALABLE ? 8 : 16>;
using PanelInts = hn::RebindToSigned<PanelTag>;
inline constexpr bool kWholePanels = !HWY_HAVE_SCALABLE && HWY_CAP_GE512;
// With 32 registers, 13 rows of whole panels (78 rows are six such tiles); with 16, 6 rows of two
// vectors.
inline constexpr std::size_t kMostTileRows = kWholePanels ? 13 : 6;
// Where the rows are the 16 columns of a panel.
inline constexpr std::size_t kMostTileColumns = kWholePanels ? 16 : 6;

// What a tile has in each row: one vector of 16 lanes, or two of fewer.
template <class V>
struct OneVector {
    V v0;

    // Calls use(vector, number of the vector).
    template <class Use>
    HWY_INLINE void each(Use&& use) {
        use(v0, std::size_t{0});
    }
    template <class Other, class Use>
    HWY_INLINE void each_with(const OneVector<Other>& other, Use&& use) {
        use(v0, other.v0);
    }
};
template <class V>
struct TwoVectors {
    V v0, v1;

    template <class Use>
    HWY_INLINE void each(Use&& use) {
        use(v0, std::size_t{0});
        use(v1, std::size_t{1});
    }
    template <class Other, class Use>
    HWY_INLINE void each_with(const TwoVectors<Other>& other, Use&& use) {
        use(v0, other.v0);
        use(v1, other.v1);
    }
};
template <class V>
using TileRow = std::conditional_t<kWholePanels, OneVector<V>, TwoVectors<V>>;
// Columns of a tile.
HWY_INLINE std::size_t tile_width() { return (kWholePanels ? 1 : 2) * hn::Lanes(PanelTag()); }

// Written out one by one: arrays of vectors end up in memory.
template <class Row, std::size_t kRows>
struct TileSums {
    static_assert(kRows <= 16);
    Row r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    // Calls use(row, its vectors).
    template <class Use>
    HWY_INLINE void each(Use&& use) {
        use(std::size_t{0}, r0);
        if constexpr (kRows > 1) use(std::size_t{1}, r1);
        if constexpr (kRows > 2) use(std::size_t{2}, r2);
        if constexpr (kRows > 3) use(std::size_t{3}, r3);
        if constexpr (kRows > 4) use(std::size_t{4}, r4);
        if constexpr (kRows > 5) use(std::size_t{5}, r5);
        if constexpr (kRows > 6) use(std::size_t{6}, r6);
        if constexpr (kRows > 7) use(std::size_t{7}, r7);
        if constexpr (kRows > 8) use(std::size_t{8}, r8);
        if constexpr (kRows > 9) use(std::size_t{9}, r9);
        if constexpr (kRows > 10) use(std::size_t{10}, r10);
        if constexpr (kRows > 11) use(std::size_t{11}, r11);
        if constexpr (kRows > 12) use(std::size_t{12}, r12);
        if constexpr (kRows > 13) use(std::size_t{13}, r13);
        if constexpr (kRows > 14) use(std::size_t{14}, r14);
        if constexpr (kRows > 15) use(std::size_t{15}, r15);
    }
};

// Calls tile(n) with n, at most kMost, as a constant.
template <std::size_t kMost, class Tile>
HWY_INLINE void with_constant(std::size_t n, Tile&& tile) {
    if constexpr (kMost > 1) {
        if (n < kMost) return with_constant<kMost - 1>(n, std::forward<Tile>(tile));
    }
    tile(std::integral_constant<std::size_t, kMost>());
}

// Calls tile(n, row) for tiles of n <= kMost rows that cover `rows`, all of about the same size:
// tiles of few rows have too few sums to keep the multipliers busy.
template <std::size_t kMost, class Tile>
HWY_INLINE void for_tiles(std::size_t rows, Tile&& tile) {
    const std::size_t tiles = (rows + kMost - 1) / kMost;
    const std::size_t least = rows / tiles, larger = rows % tiles;
    std::size_t row = 0;
    for (std::size_t i = 0; i < tiles; ++i) {
        const std::size_t n = least + (i < larger ? 1 : 0);
        with_constant<kMost>(n, [&](auto count) HWY_ATTR { tile(count, row); });
        row += n;
    }
}

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
