// Visits every position of a game, in the order in which the store holds them.
#pragma once
#include "solis/chess/position.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

enum class PositionKind : std::uint8_t { Line, Branch };

struct PositionLabel {
    Score score;        // of the side to move there; none if the position is not labelled
    Score second_look;  // mostly none
    PositionKind kind = PositionKind::Line;
};

// Calls visit(const Position&, const PositionLabel&) for each position of the line, followed by
// the end points of its branches.
template <class Visit>
void walk_positions(const LabelledGame& game, Visit&& visit) {
    chess::Position position = game.start;
    auto branch = game.branches.begin();
    for (const Ply& ply : game.line) {
        if (!ply.move.is_none()) position = position.after(ply.move);
        visit(position, PositionLabel{ply.score, ply.second_look, PositionKind::Line});
        for (const auto end = branch + ply.branch_count; branch != end; ++branch) {
            const PositionLabel label{branch->score, {}, PositionKind::Branch};
            const chess::Position child = position.after(branch->first);
            visit(branch->second.is_none() ? child : child.after(branch->second), label);
        }
    }
}

}  // namespace solis::data
