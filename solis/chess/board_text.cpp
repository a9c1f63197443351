// Drawing boards.
#include "solis/chess/board_text.h"

#include <fmt/format.h>

namespace solis::chess {

std::string draw_board(const CellText& cell) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        text += std::to_string(rank + 1);
        for (int file = 0; file < 8; ++file) text += ' ' + cell(make_square(file, rank));
        text += '\n';
    }
    return text + "  a b c d e f g h\n";
}

std::string draw_board(const Position& position) {
    return draw_board([&](Square s) { return std::string(1, to_char(position.piece_on(s))); });
}

std::string draw_framed_board(std::span<const CellText> lines, std::size_t width) {
    std::string rule = "+", names = " ";
    for (char file = 'a'; file <= 'h'; ++file) {
        rule += std::string(width, '-') + '+';
        names += fmt::format("{:^{}} ", file, width);
    }
    std::string text = rule + '\n';
    for (int rank = 7; rank >= 0; --rank) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            text += '|';
            for (int file = 0; file < 8; ++file) text += lines[i](make_square(file, rank)) + '|';
            text += i == 0 ? fmt::format(" {}\n", rank + 1) : "\n";
        }
        text += rule + '\n';
    }
    names.erase(names.find_last_not_of(' ') + 1);
    return text + names + '\n';
}

}  // namespace solis::chess
