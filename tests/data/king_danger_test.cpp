// Danger around kings against its definition, worked out square by square.
#include "solis/data/inputs/king_danger.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/data/inputs/swift_features.h"
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

// What pieces of one kind and side attack.
Bitboard attacked_by(const Position& position, Color side, PieceType type) {
    Bitboard attacked = 0;
    for (int i = 0; i < 64; ++i) {
        const Piece piece = position.piece_on(chess::square_at(i));
        if (piece == Piece::None || chess::color_of(piece) != side) continue;
        if (chess::type_of(piece) != type) continue;
        attacked |= chess::slow_attacks(piece, chess::square_at(i), position.pieces());
    }
    return attacked;
}

constexpr std::array kTypes{PieceType::Pawn, PieceType::Knight, PieceType::Bishop,
                            PieceType::Rook, PieceType::Queen,  PieceType::King};

KingDanger slow_danger(const Position& position, Color side) {
    KingDanger danger = 0;
    const auto set = [&](int bit) { danger |= KingDanger{1} << bit; };
    Bitboard own = 0, enemy = 0;
    for (const PieceType type : kTypes) {
        own |= attacked_by(position, side, type);
        enemy |= attacked_by(position, ~side, type);
    }
    const int king = index(position.king(side));
    int place = 0;
    for (int rank = king / 8 - 1; rank <= king / 8 + 1; ++rank) {
        for (int file = king % 8 - 1; file <= king % 8 + 1; ++file) {
            if (rank == king / 8 && file == king % 8) continue;
            const int here = place++;
            if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
            const Square square = chess::square_at(8 * rank + file);
            for (std::size_t kind = 0; kind < 6; ++kind) {
                const Bitboard attacked = attacked_by(position, ~side, kTypes[kind]);
                if (chess::contains(attacked, square)) set(8 * static_cast<int>(kind) + here);
            }
            const bool taken = chess::contains(position.pieces(side), square);
            if (!taken && !chess::contains(enemy, square)) set(48 + here);
        }
    }
    for (int t = 0; t < 4; ++t) {
        const PieceType type = kTypes[static_cast<std::size_t>(t) + 1];
        int checks = 0;
        for (int i = 0; i < 64; ++i) {
            const Square from = chess::square_at(i);
            if (!chess::contains(attacked_by(position, ~side, type), from)) continue;
            if (chess::contains(own | position.pieces(~side), from)) continue;
            const Piece piece = chess::make_piece(~side, type);
            const Bitboard reached = chess::slow_attacks(piece, from, position.pieces());
            checks += chess::contains(reached, position.king(side));
        }
        if (checks > 0) set(56 + 2 * t);
        if (checks > 1) set(57 + 2 * t);
    }
    return danger;
}

TEST(KingDanger, MatchesItsDefinition) {
    KingDanger met = 0;
    std::size_t games = 0;
    chess::for_each_random_move(
        Seed{1}, 80, [&](const Position& position, const chess::MoveList&, chess::Move) {
            const SwiftBoard board(SwiftFeatureSet::Danger, position);
            ++games;
            for (const Color side : {Color::White, Color::Black}) {
                const KingDanger danger = board.dangers[static_cast<std::size_t>(index(side))];
                ASSERT_EQ(danger, slow_danger(position, side)) << chess::to_fen(position);
                met |= danger;
            }
        });
    EXPECT_EQ(met >> 56, 255u) << "safe checks of all kinds should have been met";
    EXPECT_EQ(met >> 48 & 255, 255u) << "kings should have been able to flee everywhere";
}

// The back rank: the rook checks from e8 in one move, the king may go to h1 but nowhere else.
TEST(KingDanger, TellsTheBackRank) {
    const Position position = *chess::parse_fen("4r1k1/8/8/8/8/8/5PPP/6K1 w - - 0 1");
    const KingDanger danger = SwiftBoard(SwiftFeatureSet::Danger, position).dangers[0];
    constexpr int kF1 = 3, kH1 = 4;
    EXPECT_EQ(danger >> 48 & 255, (1u << kF1) | (1u << kH1));
    EXPECT_EQ(danger >> 56, 1u << 4) << "one safe check, by the rook";
}

// The same position with the king's wing on the left and the queen's on the right. No castling.
Position files_mirrored(const Position& position) {
    std::string fen = chess::to_fen(position);
    for (auto rank = fen.begin(), end = fen.begin() + static_cast<std::ptrdiff_t>(fen.find(' '));
         rank < end;) {
        const auto next = std::find(rank, end, '/');
        std::reverse(rank, next);
        rank = next == end ? end : next + 1;
    }
    return *chess::parse_fen(fen);
}

// With colours swapped, or the board mirrored, the own view is the same.
TEST(KingDanger, IsSeenAlikeFromBothSidesAndBothWings) {
    for (const char* fen : {"4r1k1/5ppp/8/2b5/3n4/1q6/PP3PPP/R4RK1 w - - 0 1",
                            "r1b2rk1/pp3ppp/2n2q2/8/1b6/2N2N2/PPQBBPPP/2KR3R w - - 0 1"}) {
        const auto seen = [&](const Position& position, Color side) {
            std::vector<int> inputs;
            for_each_input(SwiftFeatureSet::Danger, position,
                           SwiftBoard(SwiftFeatureSet::Danger, position),
                           swift_view(position, side), [&](int input) {
                               if (input >= input_count(SwiftFeatureSet::Contacts)) {
                                   inputs.push_back(input);
                               }
                           });
            std::sort(inputs.begin(), inputs.end());
            return inputs;
        };
        const Position position = *chess::parse_fen(fen);
        ASSERT_FALSE(seen(position, Color::White).empty());
        EXPECT_EQ(seen(position, Color::White), seen(position.color_flipped(), Color::Black));
        EXPECT_NE(seen(position, Color::White), seen(position, Color::Black));
        EXPECT_EQ(seen(position, Color::White), seen(files_mirrored(position), Color::White));
    }
}

TEST(KingDanger, BitsKeepTheirMeaningWhenTheBoardIsTurned) {
    for (unsigned flip = 0; flip < 4; ++flip) {
        std::uint64_t seen = 0;
        for (int bit = 0; bit < kKingDangerBits; ++bit) {
            EXPECT_EQ(seen_bit(seen_bit(bit, flip), flip), bit);
            seen |= std::uint64_t{1} << seen_bit(bit, flip);
        }
        EXPECT_EQ(seen, ~std::uint64_t{0});
    }
    EXPECT_EQ(seen_bit(0, 1), 5);    // below on the left becomes above on the left
    EXPECT_EQ(seen_bit(0, 2), 2);    // or below on the right
    EXPECT_EQ(seen_bit(11, 2), 12);  // beside, for knights
    EXPECT_EQ(seen_bit(60, 3), 60);
}

}  // namespace
}  // namespace solis::data
