// An explanation as text for a terminal.
#include <array>

#include <fmt/format.h>

#include "solis/analysis/explain/explanation.h"
#include "solis/chess/board_text.h"

namespace solis::analysis {
namespace {

std::string worth_cell(const std::optional<double>& worth, chess::Piece piece) {
    if (piece == chess::Piece::None) return "       ";
    if (type_of(piece) == chess::PieceType::King) return "   .   ";
    return worth ? fmt::format("{:^+7.3f}", *worth) : "   --  ";
}

}  // namespace

std::string to_text(const Explanation& explanation, const chess::Position& position) {
    std::array<std::optional<double>, 64> worths{};
    for (const ExplainedPiece& piece : explanation.pieces) {
        worths[static_cast<std::size_t>(chess::index(piece.square))] = piece.worth;
    }
    const std::array<chess::CellText, 2> lines{
        [&](chess::Square square) {
            const chess::Piece piece = position.piece_on(square);
            return fmt::format("{:^7}", piece == chess::Piece::None ? ' ' : to_char(piece));
        },
        [&](chess::Square square) {
            return worth_cell(worths[static_cast<std::size_t>(chess::index(square))],
                              position.piece_on(square));
        }};
    std::string text = "Contribution of each piece to the projection, White's view\n";
    text += chess::draw_framed_board(lines, 7) + '\n';
    text += fmt::format("Projection         {:+.4f} (White's view; anchored {:.4f})\n",
                        explanation.score, explanation.anchored_score);
    if (explanation.ending_score) {
        text +=
            fmt::format("Endings encoder    {:+.4f} (in charge here)\n", *explanation.ending_score);
    }
    text +=
        fmt::format("Win probability    {:.1f} % for White\n", 100 * explanation.win_probability);
    text += fmt::format("Axis distance      {:.4f}", explanation.axis_distance);
    return text;
}

}  // namespace solis::analysis
