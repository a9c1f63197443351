// Explaining a score by taking pieces away.
#include "solis/engine/explanation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "solis/chess/without_piece.h"

namespace solis::engine {
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
    evaluator->embed(position, z);
    Explanation result;
    result.score = static_cast<double>(model.axis().score(z));
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
        evaluator->embed(*rest, z);
        result.contributions[i] = result.score - static_cast<double>(model.axis().score(z));
    }
    return result;
}

std::string to_text(const Explanation& explanation, const chess::Position& position) {
    const std::string rule = "+-------+-------+-------+-------+-------+-------+-------+-------+\n";
    std::string text = "Contribution of each piece to the projection, White's view\n" + rule;
    for (int rank = 7; rank >= 0; --rank) {
        std::string pieces = "|", values = "|";
        for (int file = 0; file < 8; ++file) {
            const Square square = chess::make_square(file, rank);
            const Piece piece = position.piece_on(square);
            pieces += fmt::format("   {}   |", piece == Piece::None ? ' ' : to_char(piece));
            values += cell(explanation.contributions[chess::index(square)], piece) + "|";
        }
        text += fmt::format("{} {}\n{}\n{}", pieces, rank + 1, values, rule);
    }
    text += "    a       b       c       d       e       f       g       h\n\n";
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

}  // namespace solis::engine
