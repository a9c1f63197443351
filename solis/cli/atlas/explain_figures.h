// What moves the projection of a position on the advantage axis: its pieces, their squares, its
// moves.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solis/cli/atlas/space_model.h"

namespace solis::cli {

// White's view throughout.
struct ExplainedPiece {
    chess::Square square = chess::Square::None;
    chess::Piece piece = chess::Piece::None;
    // The score minus the score without the piece; none where the rest is no legal position.
    std::optional<double> worth;
    // The score minus the mean of the scores with the piece on each empty square instead, where
    // that is legal: what standing here and not just anywhere does. None for a piece that fits
    // nowhere else.
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

struct ExplainedPosition {
    double score = 0;
    double win_probability = 0;
    double axis_distance = 0;            // length of what the axis does not see
    std::vector<ExplainedPiece> pieces;  // kings are left out; from a1 to h8
    std::vector<ExplainedMove> moves;    // best for the side to move first
};

[[nodiscard]] ExplainedPosition explain_position(const chess::Position& position,
                                                 const SpaceModel& model, ThreadPool& pool);

// Two boards side by side, coloured by worth and by square_worth, with the best moves as arrows.
[[nodiscard]] Result<std::string> explanation_picture(const ExplainedPosition& explained,
                                                      const chess::Position& position,
                                                      std::string_view theme, std::size_t arrows,
                                                      bool as_png, double scale);

}  // namespace solis::cli
