// FEN: every field, every reason to refuse one, and both castling notations.
#include "solis/chess/fen.h"

#include <gtest/gtest.h>

namespace solis::chess {
namespace {

std::string fen_error(std::string_view fen) {
    const auto position = parse_fen(fen);
    return position ? "accepted as " + to_fen(*position) : position.error().message;
}

std::string normalised(std::string_view fen, CastlingFen style = CastlingFen::XFen) {
    const auto position = parse_fen(fen);
    return position ? to_fen(*position, style) : position.error().message;
}

TEST(Fen, FourToSixFieldsAndAnyBlanksAreAccepted) {
    constexpr std::string_view kNormal = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    EXPECT_EQ(normalised("4k3/8/8/8/8/8/4P3/4K3 b - -"), kNormal);
    EXPECT_EQ(normalised("4k3/8/8/8/8/8/4P3/4K3 b - - 0"), kNormal);
    EXPECT_EQ(normalised("  4k3/8/8/8/8/8/4P3/4K3\tb -  - 0 1\r\n"), kNormal);
    EXPECT_EQ(normalised("4k3/8/8/8/8/8/4P3/4K3 b - - 12 34"), "4k3/8/8/8/8/8/4P3/4K3 b - - 12 34");
}

TEST(Fen, WrongNumberOfFieldsIsNamedAndAHintShowsACompleteOne) {
    EXPECT_EQ(fen_error(""), "FEN '': 0 fields, expected 4 to 6");
    EXPECT_EQ(fen_error("8/8 w -"), "FEN '8/8 w -': 3 fields, expected 4 to 6");
    EXPECT_EQ(fen_error("8/8 w - - 0 1 x"),
              "FEN '8/8 w - - 0 1 x': more than 6 fields, expected 4 "
              "to 6");
    EXPECT_EQ(parse_fen("").error().hint,
              "a complete FEN looks like: rnbqkbnr/pppppppp/8/8/8/8/"
              "PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

TEST(Fen, PlacementErrorsSayWhere) {
    const auto error = [](const std::string& placement) {
        const std::string text = fen_error(placement + " w - - 0 1");
        const std::string start = "FEN: piece placement '" + placement + "': ";
        EXPECT_EQ(text.substr(0, start.size()), start);
        return text.substr(std::min(start.size(), text.size()));
    };
    EXPECT_EQ(error("4k3/8/8/8/8/8/7/4K3"), "rank 2 has 7 squares, expected 8");
    EXPECT_EQ(error("4k3/8/8/8/8/8/9/4K3"), "unexpected character '9'");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8P/4K3"), "rank 2 has more than 8 squares");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/8/4K3"), "more than 8 ranks");
    EXPECT_EQ(error("4k3/8/8/8/8/8/4K3"), "ends on rank 2 after 8 squares");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/4K2"), "ends on rank 1 after 7 squares");
    EXPECT_EQ(error("4k3/8/8/8/8/8/44/4K3"), "two digits in a row");
    EXPECT_EQ(error("4k3/8/8/8/8/8/x7/4K3"), "unexpected character 'x'");
}

TEST(Fen, MaterialThatCannotAriseIsRefused) {
    const auto error = [](const std::string& placement) {
        const std::string text = fen_error(placement + " w - - 0 1");
        const std::string start = "FEN '" + placement + " w - - 0 1': piece placement: ";
        EXPECT_EQ(text.substr(0, start.size()), start);
        return text.substr(std::min(start.size(), text.size()));
    };
    EXPECT_EQ(error("8/8/8/8/8/8/8/4K3"), "Black has 0 kings, expected 1");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/3KK3"), "White has 2 kings, expected 1");
    EXPECT_EQ(error("4k3/8/8/8/8/P7/PPPPPPPP/4K3"), "White has 9 pawns, at most 8 are possible");
    EXPECT_EQ(error("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3"),
              "White has 8 pawns and 1 promoted pieces, at most 8 together");
    EXPECT_EQ(error("P3k3/8/8/8/8/8/8/4K3"), "pawn on a8");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/p3K3"), "pawn on a1");
}

TEST(Fen, SideToMove) {
    EXPECT_EQ(fen_error("4k3/8/8/8/8/8/8/4K3 W - - 0 1"),
              "FEN: side to move 'W': expected 'w' or 'b'");
    EXPECT_EQ(fen_error("4k3/8/8/8/8/8/8/4K2r b - - 0 1"),
              "FEN '4k3/8/8/8/8/8/8/4K2r b - - 0 1': side to move: White is in check, but Black is "
              "to move");
    EXPECT_EQ(fen_error("8/8/8/8/8/8/8/3kK3 b - - 0 1"),
              "FEN '8/8/8/8/8/8/8/3kK3 b - - 0 1': side to move: White is in check, but Black is "
              "to move");
}

TEST(Fen, CastlingErrorsNameTheLetter) {
    const auto error = [](const std::string& placement, const std::string& rights) {
        const std::string text = fen_error(placement + " w " + rights + " - 0 1");
        return text.substr(text.rfind(": ") + 2);
    };
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/4K2R", "X"), "unexpected character 'X'");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/4K2R", "K-"), "unexpected character '-'");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/4K2R", "Q"), "White has no rook for 'Q'");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/4K2R", "G"), "White has no rook for 'G'");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/4K2R", "KH"), "'H' given twice");
    EXPECT_EQ(error("4k3/8/8/8/8/8/4K3/7R", "K"), "White has no king on its home rank");
    EXPECT_EQ(error("r7/4k3/8/8/8/8/8/4K2R", "Kq"), "Black has no king on its home rank");
    EXPECT_EQ(error("4k3/8/8/8/8/8/8/K5RR", "HG"), "White has two rights on one side");
}

TEST(Fen, XFenNamesAFileOnlyWhereKqWouldMeanAnotherRook) {
    // The outermost rook is meant by K and Q ...
    EXPECT_EQ(normalised("4k3/8/8/8/8/8/8/R3KR1R w KQ - 0 1", CastlingFen::Shredder),
              "4k3/8/8/8/8/8/8/R3KR1R w HA - 0 1");
    // ... so an inner one needs its file.
    EXPECT_EQ(normalised("4k3/8/8/8/8/8/8/R3KR1R w FA - 0 1"), "4k3/8/8/8/8/8/8/R3KR1R w FQ - 0 1");
    EXPECT_EQ(normalised("rr2k3/8/8/8/8/8/8/4K3 w b - 0 1"), "rr2k3/8/8/8/8/8/8/4K3 w b - 0 1");
    EXPECT_EQ(normalised("rr2k3/8/8/8/8/8/8/4K3 w a - 0 1"), "rr2k3/8/8/8/8/8/8/4K3 w q - 0 1");
}

TEST(Fen, ShredderLettersAndAnyOrderAreRead) {
    EXPECT_EQ(normalised("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"),
              "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    EXPECT_EQ(normalised("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1"),
              "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    EXPECT_EQ(normalised("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", CastlingFen::Shredder),
              "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
}

TEST(Fen, EnPassantMustFollowADoubleStep) {
    const auto error = [](const std::string& fen) {
        const std::string text = fen_error(fen);
        return text.substr(text.find("en passant"));
    };
    EXPECT_EQ(error("4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1"),
              "en passant 'd9': expected a square or '-'");
    EXPECT_EQ(error("4k3/8/8/3pP3/8/8/8/4K3 w - d66 0 1"),
              "en passant 'd66': expected a square or '-'");
    EXPECT_EQ(error("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1"),
              "en passant: d3 is not on the sixth rank of the side to move (White)");
    EXPECT_EQ(error("4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1"),
              "en passant: e6 given, but no Black pawn stands on e5");
    EXPECT_EQ(error("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1"),
              "en passant: d6 given, but d6 is not empty");
    EXPECT_EQ(error("4k3/3r4/8/3pP3/8/8/8/4K3 w - d6 0 1"),
              "en passant: d6 given, but d7 is not empty");
}

TEST(Fen, EnPassantIsWrittenOnlyIfACaptureIsLegal) {
    EXPECT_EQ(normalised("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    EXPECT_EQ(normalised("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2"), "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2");
    EXPECT_EQ(normalised("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2"), "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2");
}

TEST(Fen, Counters) {
    const auto error = [](const std::string& counters) {
        const std::string text = fen_error("4k3/8/8/8/8/8/8/4K3 w - - " + counters);
        return text.substr(std::min(text.find("halfmove"), text.find("fullmove")));
    };
    EXPECT_EQ(error("x 1"), "halfmove clock 'x': expected a whole number");
    EXPECT_EQ(error("1.5 1"), "halfmove clock '1.5': expected a whole number");
    EXPECT_EQ(error("0 99999999999999999999"),
              "fullmove number '99999999999999999999': expected a whole number");
    EXPECT_EQ(error("-1 1"), "halfmove clock: -1 is outside 0..32767");
    EXPECT_EQ(error("0 0"), "fullmove number: 0 is outside 1..32767");
    EXPECT_EQ(error("0 32768"), "fullmove number: 32768 is outside 1..32767");
}

TEST(Fen, ErrorsOfHostileTextStayShortAndPrintable) {
    const std::string error = fen_error(std::string(100000, '\x01') + " w - - 0 1");
    EXPECT_TRUE(error.starts_with("FEN: piece placement")) << error;
    EXPECT_LT(error.size(), 200u);
    for (const char c : error) EXPECT_GE(c, ' ');
}

}  // namespace
}  // namespace solis::chess
