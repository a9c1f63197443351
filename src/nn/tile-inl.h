// Tiles of matrix products: up to 6 rows x 2 vectors of sums that stay in registers.
#if defined(SOLIS_NN_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOLIS_NN_TILE_INL_H_
#undef SOLIS_NN_TILE_INL_H_
#else
#define SOLIS_NN_TILE_INL_H_
#endif

#include <cstddef>
#include <type_traits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {

// Written out one by one: arrays of vectors end up in memory.
template <class V, std::size_t kRows>
struct TileSums {
    V r0[2], r1[2], r2[2], r3[2], r4[2], r5[2];

    // Calls use(row, first vector, second vector).
    template <class Use>
    HWY_INLINE void each(Use&& use) {
        use(std::size_t{0}, r0[0], r0[1]);
        if constexpr (kRows > 1) use(std::size_t{1}, r1[0], r1[1]);
        if constexpr (kRows > 2) use(std::size_t{2}, r2[0], r2[1]);
        if constexpr (kRows > 3) use(std::size_t{3}, r3[0], r3[1]);
        if constexpr (kRows > 4) use(std::size_t{4}, r4[0], r4[1]);
        if constexpr (kRows > 5) use(std::size_t{5}, r5[0], r5[1]);
    }
};

// Calls tile(n, row) for tiles of n <= kMost rows that cover `rows`, all of about the same size:
// tiles of few rows have too few sums to keep the multipliers busy.
template <std::size_t kMost, class Tile>
HWY_INLINE void for_tiles(std::size_t rows, Tile&& tile) {
    static_assert(kMost == 5 || kMost == 6);
    const std::size_t tiles = (rows + kMost - 1) / kMost;
    const std::size_t least = rows / tiles, larger = rows % tiles;
    std::size_t row = 0;
    for (std::size_t i = 0; i < tiles; ++i) {
        const std::size_t n = least + (i < larger ? 1 : 0);
        switch (n) {
            case 5:
                tile(std::integral_constant<std::size_t, 5>(), row);
                break;
            case 4:
                tile(std::integral_constant<std::size_t, 4>(), row);
                break;
            case 3:
                tile(std::integral_constant<std::size_t, 3>(), row);
                break;
            case 2:
                tile(std::integral_constant<std::size_t, 2>(), row);
                break;
            case 1:
                tile(std::integral_constant<std::size_t, 1>(), row);
                break;
            default:
                tile(std::integral_constant<std::size_t, kMost>(), row);
                break;
        }
        row += n;
    }
}

}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
