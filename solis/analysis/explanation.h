// Why the model scores a position as it does: projection, distance from the axis, and what each
// piece contributes.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "solis/chess/position.h"
#include "solis/model/evaluator.h"

namespace solis::analysis {

// White's view.
struct Explanation {
    double score = 0;            // projection on the advantage axis
    double anchored_score = 0;   // the same counted from "Black wins"
    double win_probability = 0;  // of White, by the encoder in charge of the position
    // The score on the axis of the model's encoder for endings, where that one is in charge. The
    // rest is the other encoder's view everywhere.
    std::optional<double> ending_score;
    // Length of what the axis does not see: 0 for a position that is all advantage.
    double axis_distance = 0;
    // Score minus the score without the piece on that square. None for kings, empty squares, and
    // where the position without the piece is not legal.
    std::array<std::optional<double>, 64> contributions{};
};

[[nodiscard]] Explanation explain(const chess::Position& position, const model::LoadedModel& model);

// A board with the contribution under each piece, and the figures below it.
[[nodiscard]] std::string to_text(const Explanation& explanation, const chess::Position& position);

}  // namespace solis::analysis
