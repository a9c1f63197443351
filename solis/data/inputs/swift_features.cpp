// Planes of the swift encoder from attack sets.
#include "solis/data/inputs/swift_features.h"

#include <fmt/format.h>

#include "solis/chess/attacked_squares.h"

namespace solis::data {
namespace {

using chess::AttackedSquares;
using chess::Bitboard;
using chess::Color;
using chess::PieceType;
using chess::Position;

// Pieces of `side` attacked by something worth less, which defending does not answer.
Bitboard attacked_by_cheaper(const Position& position, Color side, const AttackedSquares& by) {
    const Bitboard minors = position.pieces(PieceType::Knight) | position.pieces(PieceType::Bishop);
    const Bitboard below_rook = by.pawn | by.minor;
    const Bitboard below_queen = below_rook | by.rook;
    const Bitboard any = below_queen | by.queen;
    return position.pieces(side) &
           ((minors & by.pawn) | (position.pieces(PieceType::Rook) & below_rook) |
            (position.pieces(PieceType::Queen) & below_queen) |
            (position.pieces(PieceType::King) & any));
}

void add_threats(const Position& position, Color side, const AttackedSquares& own,
                 const AttackedSquares& enemy, SwiftPlanes& planes) {
    const Bitboard attacked = position.pieces(side) & enemy.all();
    const Bitboard hanging = attacked & (~own.all() | attacked_by_cheaper(position, side, enemy));
    planes[1] |= attacked ^ hanging;
    planes[2] |= hanging;
}

void add_relations(const Position& position, Color side, const AttackedSquares& own,
                   const AttackedSquares& enemy, SwiftPlanes& planes) {
    const Bitboard pieces = position.pieces(side);
    planes[1] |= pieces & enemy.pawn;
    planes[2] |= pieces & enemy.minor;
    planes[3] |= pieces & enemy.rook;
    planes[4] |= pieces & enemy.queen;
    planes[5] |= pieces & enemy.king;
    planes[6] |= pieces & own.pawn;
    planes[7] |= pieces & (own.minor | own.rook | own.queen | own.king);
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
    }
    return "";
}

Result<SwiftFeatureSet> parse_swift_feature_set(std::string_view name) {
    for (const SwiftFeatureSet set :
         {SwiftFeatureSet::Pieces, SwiftFeatureSet::Threats, SwiftFeatureSet::Relations}) {
        if (name == name_of(set)) return set;
    }
    return fail(fmt::format("unknown swift feature set '{}'", name),
                "known are: pieces, threats, relations");
}

SwiftPlanes swift_planes(SwiftFeatureSet set, const Position& position) {
    SwiftPlanes planes{};
    planes[0] = position.pieces();
    if (set == SwiftFeatureSet::Pieces) return planes;
    const AttackedSquares white = chess::attacked_squares<Color::White>(position);
    const AttackedSquares black = chess::attacked_squares<Color::Black>(position);
    const auto add = set == SwiftFeatureSet::Threats ? add_threats : add_relations;
    add(position, Color::White, white, black, planes);
    add(position, Color::Black, black, white, planes);
    return planes;
}

}  // namespace solis::data
