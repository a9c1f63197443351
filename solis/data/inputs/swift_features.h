// Sparse inputs of the swift encoder: which piece stands where, and how it is attacked.
//
// Every input is (plane, piece, square). Plane 0 says that the piece is there; the other planes
// say something about it, for example that it hangs. Planes are sets of squares, so what a move
// changes is found by comparing a few words. Contacts, of the set with that name, say which kind of
// piece attacks or defends the piece: one more plane for each kind, in which an input is active as
// many times as there are such pieces. Danger, of the set with that name, is about both kings
// (data/inputs/king_danger.h).
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "solis/base/result.h"
#include "solis/chess/position.h"
#include "solis/data/inputs/king_danger.h"

namespace solis::data {

enum class SwiftFeatureSet : std::uint8_t {
    Pieces,     // 1 plane: pieces only
    Threats,    // 3 planes: + attacked but defended, + hanging
    Relations,  // 8 planes: + attacked by pawn, minor, rook, queen or king; defended by pawn; other
    Contacts,   // 3 planes as Threats, and contacts
    Danger,     // as Contacts, and danger
};

[[nodiscard]] std::string_view name_of(SwiftFeatureSet set);
[[nodiscard]] Result<SwiftFeatureSet> parse_swift_feature_set(std::string_view name);

inline constexpr int kMaxSwiftPlanes = 8;
inline constexpr int kPieceKinds = 12;
inline constexpr int kInputsPerPlane = kPieceKinds * 64;

[[nodiscard]] constexpr int plane_count(SwiftFeatureSet set) {
    switch (set) {
        case SwiftFeatureSet::Pieces:
            return 1;
        case SwiftFeatureSet::Threats:
        case SwiftFeatureSet::Contacts:
        case SwiftFeatureSet::Danger:
            return 3;
        case SwiftFeatureSet::Relations:
            return 8;
    }
    return 0;
}
[[nodiscard]] constexpr bool has_contacts(SwiftFeatureSet set) {
    return set == SwiftFeatureSet::Contacts || set == SwiftFeatureSet::Danger;
}
[[nodiscard]] constexpr bool has_danger(SwiftFeatureSet set) {
    return set == SwiftFeatureSet::Danger;
}
// Contacts are numbered as planes that come after the others, one for each kind of piece that
// attacks or defends: those of the viewing side first.
inline constexpr int kContacts = kPieceKinds * kInputsPerPlane;
// Danger comes last: that of the king of the viewing side, then that of the other one.
inline constexpr int kDangers = 2 * kKingDangerBits;
[[nodiscard]] constexpr int input_count(SwiftFeatureSet set) {
    return plane_count(set) * kInputsPerPlane + (has_contacts(set) ? kContacts : 0) +
           (has_danger(set) ? kDangers : 0);
}
// Whether the inputs of `set` are those of `first`, with the same numbers, and perhaps more.
[[nodiscard]] constexpr bool begins_with(SwiftFeatureSet set, SwiftFeatureSet first) {
    return set == first || first == SwiftFeatureSet::Pieces ||
           (first == SwiftFeatureSet::Threats && has_contacts(set)) ||
           (first == SwiftFeatureSet::Contacts && has_danger(set));
}
// How many inputs of one view can be active at once: 32 pieces, each in every plane and in contact
// with eight others (pieces that slide see one in each direction), and all danger.
[[nodiscard]] constexpr int most_active(SwiftFeatureSet set) {
    return 32 * (plane_count(set) + (has_contacts(set) ? 8 : 0)) + (has_danger(set) ? kDangers : 0);
}

// The squares in each plane, as the board stands (no point of view yet).
using SwiftPlanes = std::array<chess::Bitboard, kMaxSwiftPlanes>;
[[nodiscard]] SwiftPlanes swift_planes(SwiftFeatureSet set, const chess::Position& position);

// For the piece on each square, the squares of the pieces that it attacks or defends; empty for
// empty squares. Own kings need no defence and are left out.
using SwiftContacts = std::array<chess::Bitboard, 64>;
using KingDangers = std::array<KingDanger, 2>;  // of White's king, of Black's
// The planes and the contacts of a set that has them; danger is none where the set has none.
[[nodiscard]] SwiftPlanes swift_planes(SwiftFeatureSet set, const chess::Position& position,
                                       SwiftContacts& contacts, KingDangers& dangers);

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
    // `by` attacks or defends `piece`, which stands on `square`; for a set with so many planes.
    [[nodiscard]] int contact(int planes, chess::Piece by, chess::Piece piece,
                              chess::Square square) const {
        const int enemy = chess::color_of(by) == side ? 0 : 6;
        return input(planes + enemy + index(chess::type_of(by)), piece, square);
    }
    // What is set among `kDangers` for a bit of the king of `color`.
    [[nodiscard]] int danger(chess::Color color, int bit) const {
        const unsigned flip = (side == chess::Color::White ? 0u : 1u) | (mirrored ? 2u : 0u);
        return (color == side ? 0 : kKingDangerBits) + seen_bit(bit, flip);
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

// What is active in a position, before it is seen from a side.
struct SwiftBoard {
    SwiftPlanes planes;
    SwiftContacts contacts;  // these are set where the features have them
    KingDangers dangers;

    SwiftBoard(SwiftFeatureSet set, const chess::Position& position)
        : planes(has_contacts(set) ? swift_planes(set, position, contacts, dangers)
                                   : swift_planes(set, position)) {}
};

// Calls found(input) for every active input of one view, in a fixed order.
template <class Found>
void for_each_input(SwiftFeatureSet set, const chess::Position& position, const SwiftBoard& board,
                    SwiftView view, Found&& found) {
    for (int plane = 0; plane < plane_count(set); ++plane) {
        for (chess::Bitboard rest = board.planes[plane]; rest != 0;) {
            const chess::Square square = chess::pop_lowest(rest);
            found(view.input(plane, position.piece_on(square), square));
        }
    }
    if (!has_contacts(set)) return;
    for (chess::Bitboard rest = position.pieces(); rest != 0;) {
        const chess::Square from = chess::pop_lowest(rest);
        for (chess::Bitboard touched = board.contacts[index(from)]; touched != 0;) {
            const chess::Square square = chess::pop_lowest(touched);
            found(view.contact(plane_count(set), position.piece_on(from), position.piece_on(square),
                               square));
        }
    }
    if (!has_danger(set)) return;
    for (const chess::Color color : {chess::Color::White, chess::Color::Black}) {
        for (KingDanger rest = board.dangers[static_cast<std::size_t>(index(color))]; rest != 0;) {
            const int bit = index(chess::pop_lowest(rest));
            found(input_count(set) - kDangers + view.danger(color, bit));
        }
    }
}

}  // namespace solis::data
