// Why the model scores a position as it does: what its pieces, their squares and its moves do to
// the projection on the advantage axis.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solis/chess/position.h"
#include "solis/model/evaluator.h"

namespace solis::analysis {

// White's view throughout.
struct ExplainedPiece {
    chess::Square square = chess::Square::None;
    chess::Piece piece = chess::Piece::None;
    // The score minus the score without the piece; none where the rest is no legal position.
    std::optional<double> worth;
    // The score minus the mean of the scores with the piece on each empty square instead, where
    // that is legal: what standing here and not just anywhere does. None for a piece that fits
    // nowhere else, and where it was not asked for.
    std::optional<double> square_worth;
};

struct ExplainedMove {
    std::string san;
    chess::Move move;
    double score = 0;            // of the position after it, on the axis
    double win_probability = 0;  // of White
    double change = 0;           // of the win probability
    bool ends_game = false;      // the rules gave the probability
};

struct Explanation {
    double score = 0;            // projection on the advantage axis
    double anchored_score = 0;   // the same counted from "Black wins"
    double win_probability = 0;  // of White, by the encoder in charge of the position
    // The score on the axis of the model's encoder for endings, where that one is in charge. The
    // other scores are those of the model's own encoder everywhere.
    std::optional<double> ending_score;
    // Length of what the axis does not see: 0 for a position that is all advantage.
    double axis_distance = 0;
    std::vector<ExplainedPiece> pieces;  // kings are left out; from a1 to h8
    std::vector<ExplainedMove> moves;    // best for the side to move first; where asked for
};

struct ExplainOptions {
    bool squares = true;  // some 30 positions per piece
    bool moves = true;
    std::size_t threads = 1;
};

[[nodiscard]] Explanation explain(const chess::Position& position, const model::LoadedModel& model,
                                  const ExplainOptions& options = {});

// A board with the worth under each piece, and the figures below it.
[[nodiscard]] std::string to_text(const Explanation& explanation, const chess::Position& position);

// Two boards side by side, coloured by worth and by square_worth, with the best moves as arrows, as
// SVG or PNG.
struct ExplanationPicture {
    std::string theme = "light";
    std::size_t arrows = 3;
    bool png = false;
    double scale = 1;  // pixels of a PNG per pixel of the drawing
};
[[nodiscard]] Result<std::string> draw_explanation(const Explanation& explanation,
                                                   const chess::Position& position,
                                                   const ExplanationPicture& picture);

}  // namespace solis::analysis
