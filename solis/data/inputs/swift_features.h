// Sparse inputs of the swift encoder: which piece stands where, and how it is attacked.
//
// Every input is (plane, piece, square). Plane 0 says that the piece is there; the other planes
// say something about it, for example that it hangs. Planes are sets of squares, so what a move
// changes is found by comparing a few words.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::data {

enum class SwiftFeatureSet : std::uint8_t {
    Pieces,     // 1 plane: pieces only
    Threats,    // 3 planes: + attacked but defended, + hanging
    Relations,  // 8 planes: + attacked by pawn, minor, rook, queen or king; defended by pawn; other
};

[[nodiscard]] std::string_view name_of(SwiftFeatureSet set);
[[nodiscard]] Result<SwiftFeatureSet> parse_swift_feature_set(std::string_view name);

inline constexpr int kMaxSwiftPlanes = 8;
inline constexpr int kInputsPerPlane = 768;  // 12 pieces x 64 squares
// 32 pieces, each in every plane.
inline constexpr int kMaxSwiftActive = 32 * kMaxSwiftPlanes;

[[nodiscard]] constexpr int plane_count(SwiftFeatureSet set) {
    switch (set) {
        case SwiftFeatureSet::Pieces:
            return 1;
        case SwiftFeatureSet::Threats:
            return 3;
        case SwiftFeatureSet::Relations:
            return 8;
    }
    return 0;
}
[[nodiscard]] constexpr int input_count(SwiftFeatureSet set) {
    return plane_count(set) * kInputsPerPlane;
}

// The squares in each plane, as the board stands (no point of view yet).
using SwiftPlanes = std::array<chess::Bitboard, kMaxSwiftPlanes>;
[[nodiscard]] SwiftPlanes swift_planes(SwiftFeatureSet set, const chess::Position& position);

// How one side sees the board: its own pieces move up, its king stands on files a to d.
struct SwiftView {
    chess::Color side;
    bool mirrored;  // files swapped

    [[nodiscard]] int input(int plane, chess::Piece piece, chess::Square square) const {
        const int flip = (side == chess::Color::White ? 0 : 56) ^ (mirrored ? 7 : 0);
        const int enemy = chess::color_of(piece) == side ? 0 : 6;
        return plane * kInputsPerPlane + (enemy + index(chess::type_of(piece))) * 64 +
               (index(square) ^ flip);
    }
    friend bool operator==(const SwiftView&, const SwiftView&) = default;
};
[[nodiscard]] inline SwiftView swift_view(const chess::Position& position, chess::Color side) {
    return {side, chess::file_of(position.king(side)) >= 4};
}

// Which of a network's `buckets` output layers a position uses: by number of pieces.
[[nodiscard]] inline std::size_t swift_bucket(const chess::Position& position, int buckets) {
    return static_cast<std::size_t>((chess::count(position.pieces()) - 1) * buckets / 32);
}

// Calls found(input) for every active input of one view, in a fixed order.
template <class Found>
void for_each_input(SwiftFeatureSet set, const chess::Position& position, const SwiftPlanes& planes,
                    SwiftView view, Found&& found) {
    for (int plane = 0; plane < plane_count(set); ++plane) {
        for (chess::Bitboard rest = planes[plane]; rest != 0;) {
            const chess::Square square = chess::pop_lowest(rest);
            found(view.input(plane, position.piece_on(square), square));
        }
    }
}

}  // namespace solis::data
