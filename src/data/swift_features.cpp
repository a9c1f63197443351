// Planes of the swift encoder from attack sets.
#include "data/swift_features.h"

namespace solis::data {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::PieceType;
using chess::Position;
using chess::Square;

// What one side attacks, by the kind of piece that attacks.
struct Attacks {
    Bitboard pawn, minor, rook, queen, king;

    [[nodiscard]] Bitboard all() const { return pawn | minor | rook | queen | king; }
};

// Calls seen(type, square, attacks) for each knight, bishop, rook and queen.
template <Color Side, class Seen>
Attacks attacks_of(const Position& position, Seen&& seen) {
    const Bitboard occupied = position.pieces();
    Attacks attacks{};
    attacks.pawn = chess::pawn_attacks<Side>(position.pieces(Side, PieceType::Pawn));
    const auto add = [&](PieceType type, Bitboard& all, auto&& attacks_from) {
        for (Bitboard b = position.pieces(Side, type); b != 0;) {
            const Square square = chess::pop_lowest(b);
            const Bitboard reached = attacks_from(square);
            all |= reached;
            seen(type, square, reached);
        }
    };
    add(PieceType::Knight, attacks.minor, [](Square s) { return chess::knight_attacks(s); });
    const auto bishop = [&](Square s) { return chess::bishop_attacks(s, occupied); };
    add(PieceType::Bishop, attacks.minor, bishop);
    const auto rook = [&](Square s) { return chess::rook_attacks(s, occupied); };
    add(PieceType::Rook, attacks.rook, rook);
    const auto queen = [&](Square s) { return chess::queen_attacks(s, occupied); };
    add(PieceType::Queen, attacks.queen, queen);
    attacks.king = chess::king_attacks(position.king(Side));
    return attacks;
}

struct NothingSeen {
    void operator()(PieceType, Square, Bitboard) const {}
};

// Pieces of `side` attacked by something worth less, which defending does not answer.
Bitboard attacked_by_cheaper(const Position& position, Color side, const Attacks& by) {
    const Bitboard minors = position.pieces(PieceType::Knight) | position.pieces(PieceType::Bishop);
    const Bitboard below_rook = by.pawn | by.minor;
    const Bitboard below_queen = below_rook | by.rook;
    const Bitboard any = below_queen | by.queen;
    return position.pieces(side) &
           ((minors & by.pawn) | (position.pieces(PieceType::Rook) & below_rook) |
            (position.pieces(PieceType::Queen) & below_queen) |
            (position.pieces(PieceType::King) & any));
}

void add_threats(const Position& position, Color side, const Attacks& own, const Attacks& enemy,
                 SwiftPlanes& planes) {
    const Bitboard attacked = position.pieces(side) & enemy.all();
    const Bitboard hanging = attacked & (~own.all() | attacked_by_cheaper(position, side, enemy));
    planes[1] |= attacked ^ hanging;
    planes[2] |= hanging;
}

void add_relations(const Position& position, Color side, const Attacks& own, const Attacks& enemy,
                   SwiftPlanes& planes) {
    const Bitboard pieces = position.pieces(side);
    planes[1] |= pieces & enemy.pawn;
    planes[2] |= pieces & enemy.minor;
    planes[3] |= pieces & enemy.rook;
    planes[4] |= pieces & enemy.queen;
    planes[5] |= pieces & enemy.king;
    planes[6] |= pieces & own.pawn;
    planes[7] |= pieces & (own.minor | own.rook | own.queen | own.king);
}

// Safe squares from which a piece counts as restricted (fewer) and as free (as many or more).
struct Room {
    int few, many;
};
constexpr Room room_of(PieceType type) {
    switch (type) {
        case PieceType::Knight:
            return {3, 5};
        case PieceType::Bishop:
            return {4, 7};
        case PieceType::Rook:
            return {5, 9};
        default:
            return {7, 13};
    }
}

// Squares in front of the pawns of a side, on their own and the neighbouring files.
template <Color Side>
Bitboard front_span(Bitboard pawns) {
    Bitboard span = chess::pawn_attacks<Side>(pawns);
    if constexpr (Side == Color::White) {
        span |= pawns << 8;
        span |= span << 8, span |= span << 16, span |= span << 32;
    } else {
        span |= pawns >> 8;
        span |= span >> 8, span |= span >> 16, span |= span >> 32;
    }
    return span;
}

// Pieces of a side, except its king, that may not leave the line to it.
template <Color Side>
Bitboard pinned_pieces(const Position& position) {
    const Square king = position.king(Side);
    const Bitboard own = position.pieces(Side), enemy = position.pieces(~Side);
    Bitboard pinners = (chess::rook_attacks(king, enemy) & position.straight_sliders(~Side)) |
                       (chess::bishop_attacks(king, enemy) & position.diagonal_sliders(~Side));
    Bitboard pinned = 0;
    while (pinners != 0) {
        const Bitboard between = chess::between(king, chess::pop_lowest(pinners)) & own;
        if (between != 0 && (between & (between - 1)) == 0) pinned |= between;
    }
    return pinned;
}

// Planes 3 and 4 of a side: for pieces few and many safe squares; for pawns passed and blocked;
// for the king two, and four, squares beside it attacked. Plane 5: pinned.
template <Color Side>
Attacks add_activity(const Position& position, SwiftPlanes& planes) {
    const Bitboard enemy_pawns = position.pieces(~Side, PieceType::Pawn);
    const Bitboard unsafe = position.pieces(Side) | chess::pawn_attacks<~Side>(enemy_pawns);
    planes[5] |= pinned_pieces<Side>(position);
    return attacks_of<Side>(position, [&](PieceType type, Square square, Bitboard reached) {
        const int safe = chess::count(reached & ~unsafe);
        const Room room = room_of(type);
        planes[3] |= Bitboard{safe < room.few} << index(square);
        planes[4] |= Bitboard{safe >= room.many} << index(square);
    });
}

template <Color Side>
void add_pawns_and_king(const Position& position, const Attacks& enemy, SwiftPlanes& planes) {
    const Bitboard pawns = position.pieces(Side, PieceType::Pawn);
    const Bitboard stopped = front_span<~Side>(position.pieces(~Side, PieceType::Pawn));
    planes[3] |= pawns & ~stopped;
    const Bitboard occupied = position.pieces();
    planes[4] |= pawns & (Side == Color::White ? occupied >> 8 : occupied << 8);
    const Square king = position.king(Side);
    const int beside = chess::count(chess::king_attacks(king) & enemy.all());
    planes[3] |= Bitboard{beside >= 2} << index(king);
    planes[4] |= Bitboard{beside >= 4} << index(king);
}

}  // namespace

std::string_view name_of(SwiftFeatureSet set) {
    switch (set) {
        case SwiftFeatureSet::Pieces:
            return "pieces";
        case SwiftFeatureSet::Threats:
            return "threats";
        case SwiftFeatureSet::Relations:
            return "relations";
        case SwiftFeatureSet::Activity:
            return "activity";
    }
    return "";
}

Result<SwiftFeatureSet> parse_swift_feature_set(std::string_view name) {
    for (const SwiftFeatureSet set : {SwiftFeatureSet::Pieces, SwiftFeatureSet::Threats,
                                      SwiftFeatureSet::Relations, SwiftFeatureSet::Activity}) {
        if (name == name_of(set)) return set;
    }
    return fail(fmt::format("unknown swift feature set '{}'", name),
                "known are: pieces, threats, relations, activity");
}

SwiftPlanes swift_planes(SwiftFeatureSet set, const Position& position) {
    SwiftPlanes planes{};
    planes[0] = position.pieces();
    if (set == SwiftFeatureSet::Pieces) return planes;
    if (set == SwiftFeatureSet::Activity) {
        const Attacks white = add_activity<Color::White>(position, planes);
        const Attacks black = add_activity<Color::Black>(position, planes);
        add_pawns_and_king<Color::White>(position, black, planes);
        add_pawns_and_king<Color::Black>(position, white, planes);
        add_threats(position, Color::White, white, black, planes);
        add_threats(position, Color::Black, black, white, planes);
        return planes;
    }
    const Attacks white = attacks_of<Color::White>(position, NothingSeen{});
    const Attacks black = attacks_of<Color::Black>(position, NothingSeen{});
    const auto add = set == SwiftFeatureSet::Threats ? add_threats : add_relations;
    add(position, Color::White, white, black, planes);
    add(position, Color::Black, black, white, planes);
    return planes;
}

}  // namespace solis::data
