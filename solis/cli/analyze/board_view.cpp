// Drawing a board.
#include "solis/cli/analyze/board_view.h"

#include <fmt/color.h>

#include "solis/chess/board_text.h"

namespace solis::cli {

void print_board(const chess::Position& position, Console& console) {
    console.print("{}", chess::draw_board([&](chess::Square square) {
                      const chess::Piece piece = position.piece_on(square);
                      const bool white = piece != chess::Piece::None &&
                                         chess::color_of(piece) == chess::Color::White;
                      const std::string letter(1, chess::to_char(piece));
                      return white ? console.styled(fmt::emphasis::bold, letter) : letter;
                  }));
}

}  // namespace solis::cli
