// Inputs of the swift encoder against definitions worked out piece by piece.
#include "solis/data/inputs/swift_features.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/chess/random_walks.h"
#include "tests/chess/slow_board.h"

namespace solis::data {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::Piece;
using chess::PieceType;
using chess::Position;
using chess::Square;

constexpr std::size_t kPlies = 60;
constexpr std::array kAllSets{SwiftFeatureSet::Pieces, SwiftFeatureSet::Threats,
                              SwiftFeatureSet::Relations, SwiftFeatureSet::Contacts,
                              SwiftFeatureSet::Danger};

// Types of the pieces of one side that attack (or, for its own pieces, defend) a square.
std::vector<PieceType> attackers(const Position& position, Square target, Color by) {
    std::vector<PieceType> found;
    for (int i = 0; i < 64; ++i) {
        const Piece piece = position.piece_on(chess::square_at(i));
        if (piece == Piece::None || chess::color_of(piece) != by) continue;
        const Bitboard reached = chess::slow_attacks(piece, chess::square_at(i), position.pieces());
        if (chess::contains(reached, target)) found.push_back(chess::type_of(piece));
    }
    return found;
}

// Knights and bishops are worth the same; nothing is worth as much as a king.
int worth(PieceType type) {
    constexpr int kWorth[]{1, 3, 3, 5, 9, 100};
    return kWorth[index(type)];
}

bool hangs(PieceType piece, const std::vector<PieceType>& by, bool defended) {
    if (by.empty()) return false;
    if (!defended) return true;
    for (const PieceType attacker : by) {
        if (worth(attacker) < worth(piece)) return true;
    }
    return false;
}

SwiftPlanes slow_threats(const Position& position) {
    SwiftPlanes planes{};
    for (int i = 0; i < 64; ++i) {
        const Square s = chess::square_at(i);
        const Piece piece = position.piece_on(s);
        if (piece == Piece::None) continue;
        const Color side = chess::color_of(piece);
        const std::vector<PieceType> by = attackers(position, s, ~side);
        const bool defended = !attackers(position, s, side).empty();
        planes[0] |= chess::bit(s);
        if (by.empty()) continue;
        planes[hangs(chess::type_of(piece), by, defended) ? 2 : 1] |= chess::bit(s);
    }
    return planes;
}

SwiftPlanes slow_relations(const Position& position) {
    // Attackers of each type count in this plane.
    constexpr int kPlaneOf[]{1, 2, 2, 3, 4, 5};
    SwiftPlanes planes{};
    for (int i = 0; i < 64; ++i) {
        const Square s = chess::square_at(i);
        const Piece piece = position.piece_on(s);
        if (piece == Piece::None) continue;
        const Color side = chess::color_of(piece);
        planes[0] |= chess::bit(s);
        for (const PieceType by : attackers(position, s, ~side)) {
            planes[static_cast<std::size_t>(kPlaneOf[index(by)])] |= chess::bit(s);
        }
        for (const PieceType by : attackers(position, s, side)) {
            planes[by == PieceType::Pawn ? 6 : 7] |= chess::bit(s);
        }
    }
    return planes;
}

SwiftContacts slow_contacts(const Position& position) {
    SwiftContacts contacts{};
    for (int i = 0; i < 64; ++i) {
        const Square from = chess::square_at(i);
        const Piece piece = position.piece_on(from);
        if (piece == Piece::None) continue;
        const Bitboard own_king = chess::bit(position.king(chess::color_of(piece)));
        contacts[static_cast<std::size_t>(i)] =
            chess::slow_attacks(piece, from, position.pieces()) & position.pieces() & ~own_king;
    }
    return contacts;
}

TEST(SwiftBucket, CoversAllBucketsInOrderOfPieces) {
    const Position kings = *chess::parse_fen("8/8/4k3/8/8/3K4/8/8 w - - 0 1");
    EXPECT_EQ(swift_bucket(Position::start(), 8), 7u);
    EXPECT_EQ(swift_bucket(kings, 8), 0u);
    EXPECT_EQ(swift_bucket(Position::start(), 1), 0u);
}

TEST(SwiftFeatures, PlanesMatchTheirDefinitions) {
    chess::for_each_random_move(
        Seed{1}, kPlies, [](const Position& position, const chess::MoveList&, chess::Move) {
            SwiftPlanes pieces{};
            pieces[0] = position.pieces();
            ASSERT_EQ(swift_planes(SwiftFeatureSet::Pieces, position), pieces);
            ASSERT_EQ(swift_planes(SwiftFeatureSet::Threats, position), slow_threats(position))
                << chess::to_fen(position);
            ASSERT_EQ(swift_planes(SwiftFeatureSet::Relations, position), slow_relations(position))
                << chess::to_fen(position);
            const SwiftBoard board(SwiftFeatureSet::Contacts, position);
            ASSERT_EQ(board.planes, slow_threats(position)) << chess::to_fen(position);
            ASSERT_EQ(board.contacts, slow_contacts(position)) << chess::to_fen(position);
        });
}

// Seen by White, whose king stands on the left: the queen attacks the pawn, the pawn and the king
// attack nothing, both rooks defend the queen, and she one of them.
TEST(SwiftFeatures, ContactsNameBothPiecesAndTheSquareOfTheSecond) {
    const Position position = *chess::parse_fen("7k/3p4/8/8/R2Q3R/8/8/1K6 b - - 0 1");
    const SwiftBoard board(SwiftFeatureSet::Contacts, position);
    std::multiset<int> seen;
    for_each_input(SwiftFeatureSet::Contacts, position, board, swift_view(position, Color::White),
                   [&](int input) {
                       if (input >= 3 * kInputsPerPlane) seen.insert(input - 3 * kInputsPerPlane);
                   });
    constexpr int kRook = 3, kQueen = 4, kEnemyPawn = 6, kEnemyKing = 11;
    const auto contact = [](int by, int piece, Square square) {
        return by * kInputsPerPlane + piece * 64 + index(square);
    };
    const std::multiset<int> wanted{
        contact(kQueen, kEnemyPawn, Square::D7), contact(kQueen, kEnemyKing, Square::H8),
        contact(kRook, kQueen, Square::D4),      contact(kRook, kQueen, Square::D4),
        contact(kQueen, kRook, Square::A4),      contact(kQueen, kRook, Square::H4),
        contact(kRook, kEnemyKing, Square::H8)};
    EXPECT_EQ(seen, wanted);
}

// White's rook is attacked by a knight and defended: it hangs. The knight is attacked by the rook
// and defended: it does not. The pawn on a2 is attacked by a queen and defended by nothing.
TEST(SwiftFeatures, HangingMeansUndefendedOrAttackedBySomethingCheaper) {
    const Position position = *chess::parse_fen("q5k1/8/2p5/3n4/8/4R3/P4P2/3R2K1 w - - 0 1");
    const SwiftPlanes planes = swift_planes(SwiftFeatureSet::Threats, position);
    EXPECT_EQ(planes[2], chess::bit(Square::E3) | chess::bit(Square::A2));
    EXPECT_EQ(planes[1], chess::bit(Square::D5));
}

TEST(SwiftFeatures, InputsAreInRangeAndUniqueButForContacts) {
    for (const SwiftFeatureSet set : kAllSets) {
        const int unique = plane_count(set) * kInputsPerPlane;
        chess::for_each_random_move(
            Seed{2}, kPlies, [&](const Position& position, const chess::MoveList&, chess::Move) {
                const SwiftBoard board(set, position);
                for (const Color side : {Color::White, Color::Black}) {
                    std::set<int> seen;
                    int count = 0;
                    for_each_input(
                        set, position, board, swift_view(position, side), [&](int input) {
                            ++count;
                            EXPECT_GE(input, 0);
                            EXPECT_LT(input, input_count(set));
                            const bool is_contact = input >= unique && input < unique + kContacts;
                            EXPECT_TRUE(seen.insert(input).second || is_contact) << input;
                        });
                    EXPECT_LE(count, most_active(set));
                }
            });
    }
}

// Nine queens of each side, and all other pieces, are in contact with fewer than there is room for.
TEST(SwiftFeatures, ThereIsRoomForEveryContact) {
    const auto position = chess::parse_fen("kqqqqqqq/qqrrbbnn/QQRRBBNN/QQQQQQQK/8/8/8/8 w - - 0 1");
    ASSERT_TRUE(position) << position.error().message;
    for (const SwiftFeatureSet set : {SwiftFeatureSet::Contacts, SwiftFeatureSet::Danger}) {
        const SwiftBoard board(set, *position);
        int count = 0;
        for_each_input(set, *position, board, swift_view(*position, Color::White),
                       [&](int) { ++count; });
        EXPECT_GT(count, 32 * 5);
        EXPECT_LE(count, most_active(set));
    }
}

TEST(SwiftFeatures, LargerSetsBeginWithSmallerOnes) {
    for (const SwiftFeatureSet first :
         {SwiftFeatureSet::Pieces, SwiftFeatureSet::Threats, SwiftFeatureSet::Contacts}) {
        ASSERT_TRUE(begins_with(SwiftFeatureSet::Contacts, first));
        ASSERT_TRUE(begins_with(SwiftFeatureSet::Danger, first));
        chess::for_each_random_move(
            Seed{3}, kPlies, [&](const Position& position, const chess::MoveList&, chess::Move) {
                const auto inputs_below = [&](SwiftFeatureSet set) {
                    std::multiset<int> seen;
                    for_each_input(set, position, SwiftBoard(set, position),
                                   swift_view(position, Color::White), [&](int input) {
                                       if (input < input_count(first)) seen.insert(input);
                                   });
                    return seen;
                };
                ASSERT_EQ(inputs_below(SwiftFeatureSet::Contacts), inputs_below(first));
                ASSERT_EQ(inputs_below(SwiftFeatureSet::Danger), inputs_below(first));
            });
    }
    EXPECT_FALSE(begins_with(SwiftFeatureSet::Contacts, SwiftFeatureSet::Relations));
    EXPECT_FALSE(begins_with(SwiftFeatureSet::Threats, SwiftFeatureSet::Contacts));
    EXPECT_FALSE(begins_with(SwiftFeatureSet::Contacts, SwiftFeatureSet::Danger));
}

TEST(SwiftFeatures, EveryViewNumbersAllPiecesAndSquaresOnce) {
    for (const Color side : {Color::White, Color::Black}) {
        for (const bool mirrored : {false, true}) {
            std::set<int> seen;
            for (int plane = 0; plane < kMaxSwiftPlanes; ++plane) {
                for (int type = 0; type < 6; ++type) {
                    for (int s = 0; s < 64; ++s) {
                        for (const Color color : {Color::White, Color::Black}) {
                            const Piece piece =
                                chess::make_piece(color, static_cast<PieceType>(type));
                            seen.insert(
                                SwiftView{side, mirrored}.input(plane, piece, chess::square_at(s)));
                        }
                    }
                }
            }
            EXPECT_EQ(seen.size(), static_cast<std::size_t>(kMaxSwiftPlanes * kInputsPerPlane));
            EXPECT_EQ(*seen.begin(), 0);
            EXPECT_EQ(*seen.rbegin(), kMaxSwiftPlanes * kInputsPerPlane - 1);
        }
    }
}

TEST(SwiftFeatures, TheOwnKingStandsOnTheLeftAtTheBottom) {
    const auto king_input = [](const char* fen, Color side) {
        const Position position = *chess::parse_fen(fen);
        return swift_view(position, side)
            .input(0, chess::make_piece(side, PieceType::King), position.king(side));
    };
    const int own_king = index(PieceType::King) * 64;
    EXPECT_EQ(king_input("6k1/8/8/8/8/8/8/1K6 w - - 0 1", Color::White), own_king + 1);  // b1
    EXPECT_EQ(king_input("6k1/8/8/8/8/8/8/1K6 w - - 0 1", Color::Black), own_king + 1);  // g8 -> b1
    EXPECT_EQ(king_input("3k4/8/8/8/8/8/8/4K3 w - - 0 1", Color::White), own_king + 3);  // e1 -> d1
    EXPECT_EQ(king_input("3k4/8/8/8/8/8/8/4K3 w - - 0 1", Color::Black), own_king + 3);  // d8 -> d1
}

TEST(SwiftFeatures, NamesRoundTripAndUnknownOnesAreRefused) {
    for (const SwiftFeatureSet set : kAllSets) {
        const auto again = parse_swift_feature_set(name_of(set));
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, set);
    }
    EXPECT_FALSE(parse_swift_feature_set("threat"));
}

}  // namespace
}  // namespace solis::data
