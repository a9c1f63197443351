// What a trainer draws from stores: labelled positions, or positions with their labelled children.
#pragma once
#include <optional>
#include <vector>

#include "solis/data/position_walk.h"

namespace solis::data {

struct Sample {
    chess::Position position = chess::Position::start();
    PositionLabel label;

    // Win probability of the side to move, and of White.
    [[nodiscard]] double mover_probability() const { return label.score.win_probability(); }
    [[nodiscard]] double white_probability() const;
};

// A position with those of its children that carry a score: played or branches of one move.
struct SiblingSet {
    struct Child {
        chess::Move move;
        Score score;  // of the child's side to move, that is of the parent's opponent
        PositionKind kind = PositionKind::Line;
    };

    chess::Position position = chess::Position::start();
    PositionLabel label;
    std::vector<Child> children;
};

// Centipawns beyond which a game is as good as won.
inline constexpr int kDecided = 600;

// Whether the mover is not in check, and has neither a promotion nor a capture that wins an
// exchange: what a search evaluates as it stands, because nothing is left to be settled by
// quiescence.
[[nodiscard]] bool is_quiescent(const chess::Position& position);

// Which items are wanted. Scores are looked at without their sign; mates are above 30000.
struct SampleFilter {
    int min_score = 0;
    int max_score = Score::kMate;
    bool lines = true;
    bool branches = true;
    bool skip_in_check = false;
    // Drops positions whose second look gives a win probability that differs by more.
    std::optional<double> max_disagreement;
    // Shares to keep, decided by the position alone: the same ones in every epoch.
    double keep_lines = 1;
    double keep_branches = 1;
    double keep_decided = 1;  // of positions whose score is beyond kDecided
    double keep_unquiet = 1;  // of positions that are not quiescent
    // For sibling sets; twins of one move count once.
    std::size_t min_children = 2;
};

[[nodiscard]] bool passes(const SampleFilter& filter, const Sample& item);
// The same of its parts. What fails without a score fails with any score.
[[nodiscard]] bool passes(const SampleFilter& filter, const chess::Position& position,
                          const PositionLabel& label);
[[nodiscard]] bool passes(const SampleFilter& filter, const SiblingSet& item);

// Call visit(const Item&) for each item of a game; unlabelled positions are no items.
template <class Visit>
void visit_items(const LabelledGame& game, Sample& item, Visit&& visit) {
    walk_positions(game, [&](const chess::Position& position, const PositionLabel& label) {
        if (label.score.is_none()) return;
        item.position = position;
        item.label = label;
        visit(item);
    });
}

// Fills `children` with those of line[ply], whose branches start at `branch`.
void collect_children(const LabelledGame& game, std::size_t ply, std::size_t branch,
                      std::vector<SiblingSet::Child>& children);

template <class Visit>
void visit_items(const LabelledGame& game, SiblingSet& item, Visit&& visit) {
    item.position = game.start;
    std::size_t branch = 0;
    for (std::size_t i = 0; i < game.line.size(); ++i) {
        const Ply& ply = game.line[i];
        if (i > 0) item.position = item.position.after(ply.move);
        collect_children(game, i, branch, item.children);
        branch += ply.branch_count;
        item.label = {ply.score, ply.second_look, PositionKind::Line};
        if (!item.children.empty()) visit(item);
    }
}

}  // namespace solis::data
