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
    Control,    // 3 planes as Threats, and the squares that each kind of piece attacks
    Kings,      // 3 planes as Threats, and pieces once more, apart for every zone of the own king
    Full,       // 3 planes as Threats, control and zones
};

[[nodiscard]] std::string_view name_of(SwiftFeatureSet set);
[[nodiscard]] Result<SwiftFeatureSet> parse_swift_feature_set(std::string_view name);

inline constexpr int kMaxSwiftPlanes = 8;
inline constexpr int kInputsPerPlane = 768;  // 12 pieces x 64 squares
inline constexpr int kKingZones = 8;

[[nodiscard]] constexpr int plane_count(SwiftFeatureSet set) {
    switch (set) {
        case SwiftFeatureSet::Pieces:
            return 1;
        case SwiftFeatureSet::Threats:
        case SwiftFeatureSet::Control:
        case SwiftFeatureSet::Kings:
        case SwiftFeatureSet::Full:
            return 3;
        case SwiftFeatureSet::Relations:
            return 8;
    }
    return 0;
}
[[nodiscard]] constexpr bool has_control(SwiftFeatureSet set) {
    return set == SwiftFeatureSet::Control || set == SwiftFeatureSet::Full;
}
[[nodiscard]] constexpr bool has_zones(SwiftFeatureSet set) {
    return set == SwiftFeatureSet::Kings || set == SwiftFeatureSet::Full;
}
// Control is numbered as one more plane, in which a piece is on every square that it attacks;
// pieces by zone of the king as one more plane for each zone.
[[nodiscard]] constexpr int input_count(SwiftFeatureSet set) {
    return (plane_count(set) + (has_control(set) ? 1 : 0) + (has_zones(set) ? kKingZones : 0)) *
           kInputsPerPlane;
}
// Whether the inputs of `set` are those of `first`, with the same numbers, and perhaps more.
[[nodiscard]] constexpr bool begins_with(SwiftFeatureSet set, SwiftFeatureSet first) {
    return set == first || first == SwiftFeatureSet::Pieces ||
           (first == SwiftFeatureSet::Threats && (has_control(set) || has_zones(set))) ||
           (first == SwiftFeatureSet::Control && set == SwiftFeatureSet::Full);
}
// The plane of the first zone.
[[nodiscard]] constexpr int first_zone_plane(SwiftFeatureSet set) {
    return plane_count(set) + (has_control(set) ? 1 : 0);
}
// How many inputs of one view can be active at once: 32 pieces, each in every plane, and every
// square attacked by all kinds of pieces.
[[nodiscard]] constexpr int most_active(SwiftFeatureSet set) {
    return 32 * plane_count(set) + (has_control(set) ? kInputsPerPlane : 0) +
           (has_zones(set) ? 32 : 0);
}

// All kinds of pieces, in the order in which White's view numbers them.
inline constexpr std::array kSwiftPieces{
    chess::Piece::WhitePawn, chess::Piece::WhiteKnight, chess::Piece::WhiteBishop,
    chess::Piece::WhiteRook, chess::Piece::WhiteQueen,  chess::Piece::WhiteKing,
    chess::Piece::BlackPawn, chess::Piece::BlackKnight, chess::Piece::BlackBishop,
    chess::Piece::BlackRook, chess::Piece::BlackQueen,  chess::Piece::BlackKing};

// The squares in each plane and the squares that each kind of piece attacks, as the board stands
// (no point of view yet).
struct SwiftPlanes {
    std::array<chess::Bitboard, kMaxSwiftPlanes> of{};
    std::array<chess::Bitboard, kSwiftPieces.size()> control{};  // in their order

    friend bool operator==(const SwiftPlanes&, const SwiftPlanes&) = default;
};
[[nodiscard]] SwiftPlanes swift_planes(SwiftFeatureSet set, const chess::Position& position);

// Where a king stands, files a to d, ranks from its own side: apart for every square of the first
// rank, where kings are most of the time, and coarser the farther it walks.
[[nodiscard]] constexpr std::uint8_t king_zone(int file, int rank) {
    if (rank == 0) return static_cast<std::uint8_t>(file);
    if (rank == 1) return file < 2 ? 4 : 5;
    return rank < 4 ? 6 : 7;
}

// How one side sees the board: its own pieces move up, its king stands on files a to d.
struct SwiftView {
    chess::Color side = chess::Color::White;
    bool mirrored = false;  // files swapped
    std::uint8_t zone = 0;  // of the own king, where the features ask for it

    [[nodiscard]] int input(int plane, chess::Piece piece, chess::Square square) const {
        const int flip = (side == chess::Color::White ? 0 : 56) ^ (mirrored ? 7 : 0);
        const int enemy = chess::color_of(piece) == side ? 0 : 6;
        return plane * kInputsPerPlane + (enemy + index(chess::type_of(piece))) * 64 +
               (index(square) ^ flip);
    }
    friend bool operator==(const SwiftView&, const SwiftView&) = default;
};
[[nodiscard]] inline SwiftView swift_view(SwiftFeatureSet set, const chess::Position& position,
                                          chess::Color side) {
    const chess::Square king = position.king(side);
    const int file = chess::file_of(king);
    if (!has_zones(set)) return {side, file >= 4};
    return {side, file >= 4,
            king_zone(file < 4 ? file : 7 - file, chess::relative_rank(side, king))};
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
        for (chess::Bitboard rest = planes.of[plane]; rest != 0;) {
            const chess::Square square = chess::pop_lowest(rest);
            found(view.input(plane, position.piece_on(square), square));
        }
    }
    if (has_zones(set)) {
        for (chess::Bitboard rest = planes.of[0]; rest != 0;) {
            const chess::Square square = chess::pop_lowest(rest);
            found(view.input(first_zone_plane(set) + view.zone, position.piece_on(square), square));
        }
    }
    if (!has_control(set)) return;
    for (std::size_t i = 0; i < kSwiftPieces.size(); ++i) {
        for (chess::Bitboard rest = planes.control[i]; rest != 0;) {
            found(view.input(plane_count(set), kSwiftPieces[i], chess::pop_lowest(rest)));
        }
    }
}

}  // namespace solis::data
