// SAN: what is written reads back, what real files contain is understood, the rest is refused.
#include "solis/chess/san.h"

#include <set>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/perft.h"
#include "solis/chess/uci_move.h"
#include "tests/chess/awkward_positions.h"

namespace solis::chess {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kWalkDepth = 2;
#else
constexpr int kWalkDepth = 3;
#endif

Position at(std::string_view fen) { return parse_fen(fen).value(); }

std::string uci_of(const Position& position, std::string_view san) {
    const auto move = parse_san(position, san);
    return move ? to_uci(position, *move) : move.error().message;
}

TEST(San, EveryLegalMoveReadsBackAndHasItsOwnName) {
    for (const std::string_view fen : kAwkwardFens) {
        (void)perft_visiting(at(fen), kWalkDepth, [](const Position& position) {
            std::set<std::string> names;
            for (const Move move : legal_moves(position)) {
                const std::string san = to_san(position, move);
                EXPECT_TRUE(names.insert(san).second) << san << " in " << to_fen(position);
                ASSERT_EQ(match_san(position, san), move) << san << " in " << to_fen(position);
                const std::string uci = to_uci(position, move);
                ASSERT_EQ(parse_uci(position, uci).value_or(Move()), move) << uci;
            }
        });
    }
}

TEST(San, DisambiguatesByFileThenRankThenSquare) {
    const auto san = [](std::string_view fen, std::string_view uci) {
        const Position position = at(fen);
        return to_san(position, parse_uci(position, uci).value());
    };
    EXPECT_EQ(san("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "c3e2"), "Nce2");
    EXPECT_EQ(san("4k3/8/8/1N6/8/1N6/8/4K3 w - - 0 1", "b3d4"), "N3d4");
    EXPECT_EQ(san("8/7k/8/8/Q1Q5/8/8/Q3K3 w - - 0 1", "a4c2"), "Qac2+");
    EXPECT_EQ(san("8/7k/8/8/Q1Q5/8/8/Q1Q1K3 w - - 0 1", "a4a2"), "Qa4a2");
    EXPECT_EQ(san("8/7k/8/Q7/8/8/8/Q3Q1K1 w - - 0 1", "a1a3"), "Q1a3");
    EXPECT_EQ(san("8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1"), "Qh4e1");
    // The other knight is pinned, so there is nothing to tell apart.
    EXPECT_EQ(san("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2"), "Ne2");
}

TEST(San, MarksCheckAndMate) {
    const Position fool = at("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2");
    EXPECT_EQ(to_san(fool, parse_uci(fool, "d8h4").value()), "Qh4#");
    const Position castle = at("5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    EXPECT_EQ(to_san(castle, parse_uci(castle, "e1g1").value()), "O-O+");
}

TEST(San, UnderstandsWhatRealFilesContain) {
    const Position start = Position::start();
    for (const std::string_view text : {"Nf3", "Nf3!", "Nf3?!", "Nf3+", "Ngf3", "Ng1f3", "Nxf3",
                                        "Ng1-f3", "N1f3", "g1f3", "Nf3#"}) {
        EXPECT_EQ(uci_of(start, text), "g1f3") << text;
    }
    for (const std::string_view text : {"e4", "Pe4", "e2e4", "e2-e4", "e4!!"}) {
        EXPECT_EQ(uci_of(start, text), "e2e4") << text;
    }
    const Position promotion = at("3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1");
    for (const std::string_view text :
         {"e8=Q", "e8Q", "e8(Q)", "e8=q", "e8q", "e7e8q", "e8/Q", "e8=(Q)", "e7-e8=Q!"}) {
        EXPECT_EQ(uci_of(promotion, text), "e7e8q") << text;
    }
    for (const std::string_view text : {"exd8=N", "ed8N", "exd8=N+", "e:d8=n", "e7xd8(N)"}) {
        EXPECT_EQ(uci_of(promotion, text), "e7d8n") << text;
    }
    const Position en_passant = at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    for (const std::string_view text :
         {"exd6", "ed6", "exd6e.p.", "exd6ep", "exd6+", "e5d6", "e5xd6"}) {
        EXPECT_EQ(uci_of(en_passant, text), "e5d6") << text;
    }
    const Position castling = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (const std::string_view text : {"O-O", "0-0", "o-o", "O-O+", "e1g1", "e1h1", "0-0!"}) {
        EXPECT_EQ(uci_of(castling, text), "e1g1") << text;
    }
    for (const std::string_view text : {"O-O-O", "0-0-0", "e1c1", "e1a1"}) {
        EXPECT_EQ(uci_of(castling, text), "e1c1") << text;
    }
}

TEST(San, BishopAndPawnCapturesAreNotConfused) {
    const Position position = at("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1");
    EXPECT_EQ(uci_of(position, "bxc3"), "b2c3");
    EXPECT_EQ(uci_of(position, "Bxc3"), "d2c3");
}

TEST(San, ErrorsNameTheMoveAndThePosition) {
    const auto message = [](std::string_view fen, std::string_view san) {
        const auto move = parse_san(at(fen), san);
        return move ? "no error" : move.error().message + "|" + move.error().hint;
    };
    const std::string start(kStartFen);
    EXPECT_EQ(message(start, "e5"), "'e5' is not legal in '" + start + "'|");
    EXPECT_EQ(message(start, "O-O"), "'O-O' is not legal in '" + start + "'|");
    EXPECT_EQ(message(start, "--"), "'--' is a null move, which is not a move of chess|");
    EXPECT_EQ(message(start, "Z0"), "'Z0' is a null move, which is not a move of chess|");
    EXPECT_EQ(message(start, "hello"),
              "'hello' is not a move|moves look like e4, Nf3, exd5, O-O or e8=Q");
    EXPECT_EQ(message("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Ne2"),
              "'Ne2' is ambiguous in '4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1': the pieces on g1 and c3 "
              "can go there|");
    EXPECT_EQ(message("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8"),
              "'e8' in '8/4P2k/8/8/8/8/8/4K3 w - - 0 1' does not say what the pawn becomes|for "
              "example e8=Q");
    EXPECT_EQ(message("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8=K"),
              "'e8=K' is not legal in '8/4P2k/8/8/8/8/8/4K3 w - - 0 1'|");
    for (const std::string_view text :
         {"", "x", "=", "N", "Q", "+", "()", "9", "e9", "Nf3Q", "ep"}) {
        EXPECT_FALSE(parse_san(Position::start(), text)) << text;
    }
}

}  // namespace
}  // namespace solis::chess
