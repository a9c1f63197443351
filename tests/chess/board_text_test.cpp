// Boards stand with rank 8 at the top and file a on the left.
#include "solis/chess/board_text.h"

#include <algorithm>
#include <array>

#include "tests/chess/from_fen.h"

namespace solis::chess {
namespace {

TEST(BoardText, ShowsPiecesDotsAndTheNamesOfRanksAndFiles) {
    EXPECT_EQ(draw_board(from_fen("r3k3/8/8/8/8/8/7P/4K2R w Kq - 0 1")),
              "8 r . . . k . . .\n7 . . . . . . . .\n6 . . . . . . . .\n5 . . . . . . . .\n"
              "4 . . . . . . . .\n3 . . . . . . . .\n2 . . . . . . . P\n1 . . . . K . . R\n"
              "  a b c d e f g h\n");
}

TEST(BoardText, FramesHoldEveryLineOfACell) {
    const std::array<CellText, 2> lines{[](Square s) { return " " + to_string(s); },
                                        [](Square) { return std::string("---"); }};
    const std::string text = draw_framed_board(lines, 3);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9 + 8 * 2 + 1) << text;
    EXPECT_NE(text.find("| a8| b8| c8| d8| e8| f8| g8| h8| 8\n|---|"), std::string::npos) << text;
    EXPECT_TRUE(text.starts_with("+---+---+---+---+---+---+---+---+\n")) << text;
    EXPECT_TRUE(text.ends_with("+\n  a   b   c   d   e   f   g   h\n")) << text;
}

}  // namespace
}  // namespace solis::chess
