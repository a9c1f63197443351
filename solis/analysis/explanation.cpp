// Explaining a score by taking pieces away.
#include "solis/analysis/explanation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "solis/chess/board_text.h"
#include "solis/chess/without_piece.h"

namespace solis::analysis {
namespace {

using chess::Piece;
using chess::PieceType;
using chess::Square;

std::string cell(const std::optional<double>& contribution, Piece piece) {
    if (piece == Piece::None) return "       ";
    if (type_of(piece) == PieceType::King) return "   .   ";
    return contribution ? fmt::format("{:^+7.3f}", *contribution) : "   --  ";
}

}  // namespace

Explanation explain(const chess::Position& position, const model::LoadedModel& model) {
    const auto evaluator = model.make_evaluator();
    std::vector<float> z(model.axis().dims());
    const auto project = [&](const chess::Position& seen) {
        // Where there is no embedding, the score is the only coordinate.
        if (model.embeds()) {
            evaluator->embed(seen, z);
        } else {
            z[0] = evaluator->score(seen);
        }
        return static_cast<double>(model.axis().score(z));
    };
    Explanation result;
    result.score = project(position);
    result.anchored_score = static_cast<double>(model.axis().anchored_score(z));
    const float score = evaluator->score(position);
    result.win_probability = model.win_probability(score, position);
    if (model.has_ending(position)) result.ending_score = static_cast<double>(score);
    result.axis_distance = std::sqrt(std::max(0.0, 1 - result.score * result.score));
    for (int i = 0; i < 64; ++i) {
        const Piece piece = position.piece_on(chess::square_at(i));
        if (piece == Piece::None || type_of(piece) == PieceType::King) continue;
        const auto rest = chess::without_piece(position, chess::square_at(i));
        if (!rest) continue;
        result.contributions[i] = result.score - project(*rest);
    }
    return result;
}

std::string to_text(const Explanation& explanation, const chess::Position& position) {
    const std::array<chess::CellText, 2> lines{
        [&](Square square) {
            const Piece piece = position.piece_on(square);
            return fmt::format("{:^7}", piece == Piece::None ? ' ' : to_char(piece));
        },
        [&](Square square) {
            return cell(explanation.contributions[chess::index(square)], position.piece_on(square));
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
