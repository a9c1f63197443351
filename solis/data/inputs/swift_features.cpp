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
    const Bitboard below_rook = by.pawn | by.minor();
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
    planes[2] |= pieces & enemy.minor();
    planes[3] |= pieces & enemy.rook;
    planes[4] |= pieces & enemy.queen;
    planes[5] |= pieces & enemy.king;
    planes[6] |= pieces & own.pawn;
    planes[7] |= pieces & (own.minor() | own.rook | own.queen | own.king);
}

// Contacts of the pieces of one side, and what they attack.
template <Color Side>
AttackedSquares add_contacts(const Position& position, SwiftContacts& contacts) {
    const Bitboard touched = position.pieces() & ~position.pieces(Side, PieceType::King);
    for (Bitboard b = position.pieces(Side, PieceType::Pawn); b != 0;) {
        const chess::Square square = chess::pop_lowest(b);
        contacts[index(square)] = chess::pawn_attacks(Side, square) & touched;
    }
    return chess::attacked_squares<Side>(position, [&](chess::Square square, Bitboard attacked) {
        contacts[index(square)] = attacked & touched;
    });
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
        case SwiftFeatureSet::Contacts:
            return "contacts";
        case SwiftFeatureSet::Danger:
            return "danger";
    }
    return "";
}

Result<SwiftFeatureSet> parse_swift_feature_set(std::string_view name) {
    for (const SwiftFeatureSet set :
         {SwiftFeatureSet::Pieces, SwiftFeatureSet::Threats, SwiftFeatureSet::Relations,
          SwiftFeatureSet::Contacts, SwiftFeatureSet::Danger}) {
        if (name == name_of(set)) return set;
    }
    return fail(fmt::format("unknown swift feature set '{}'", name),
                "known are: pieces, threats, relations, contacts, danger");
}

SwiftPlanes swift_planes(SwiftFeatureSet set, const Position& position) {
    SwiftPlanes planes{};
    planes[0] = position.pieces();
    if (set == SwiftFeatureSet::Pieces) return planes;
    const AttackedSquares white = chess::attacked_squares<Color::White>(position);
    const AttackedSquares black = chess::attacked_squares<Color::Black>(position);
    const auto add = set == SwiftFeatureSet::Relations ? add_relations : add_threats;
    add(position, Color::White, white, black, planes);
    add(position, Color::Black, black, white, planes);
    return planes;
}

SwiftPlanes swift_planes(SwiftFeatureSet set, const Position& position, SwiftContacts& contacts,
                         KingDangers& dangers) {
    SwiftPlanes planes{};
    planes[0] = position.pieces();
    contacts.fill(0);
    const AttackedSquares white = add_contacts<Color::White>(position, contacts);
    const AttackedSquares black = add_contacts<Color::Black>(position, contacts);
    add_threats(position, Color::White, white, black, planes);
    add_threats(position, Color::Black, black, white, planes);
    dangers = {};
    if (has_danger(set)) {
        dangers = {king_danger(position, Color::White, white, black),
                   king_danger(position, Color::Black, black, white)};
    }
    return planes;
}

}  // namespace solis::data
