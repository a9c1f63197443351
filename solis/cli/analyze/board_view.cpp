// Drawing a board.
#include "solis/cli/analyze/board_view.h"

#include <fmt/format.h>

namespace solis::cli {

void print_board(const chess::Position& position, Console& console) {
    for (int rank = 7; rank >= 0; --rank) {
        console.print(fmt::fg(fmt::terminal_color::bright_black), "{}", rank + 1);
        for (int file = 0; file < 8; ++file) {
            const chess::Piece piece = position.piece_on(chess::make_square(file, rank));
            const bool white =
                piece != chess::Piece::None && chess::color_of(piece) == chess::Color::White;
            const fmt::text_style style = white ? fmt::emphasis::bold : fmt::text_style();
            console.print(" ");
            console.print(style, "{}", chess::to_char(piece));
        }
        console.print("\n");
    }
    console.print(fmt::fg(fmt::terminal_color::bright_black), "  a b c d e f g h");
    console.print("\n");
}

}  // namespace solis::cli
