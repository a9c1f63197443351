// Filters and sibling sets.
#include "solis/data/sample.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "solis/chess/exchange.h"
#include "solis/chess/movegen.h"

namespace solis::data {
namespace {

// In [0, 1), from the position alone.
double ticket_of(const chess::Position& position) {
    std::uint64_t x = position.key() + 0x9E3779B97F4A7C15ULL;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
    return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}

}  // namespace

bool is_quiescent(const chess::Position& position) {
    if (position.in_check()) return false;
    const chess::MoveList captures = chess::legal_captures(position);
    return std::none_of(captures.begin(), captures.end(), [&](chess::Move move) {
        return move.kind() == chess::MoveKind::Promotion ||
               chess::static_exchange(position, move) > 0;
    });
}

double Sample::white_probability() const {
    const bool white_moves = position.side_to_move() == chess::Color::White;
    return (white_moves ? label.score : label.score.negated()).win_probability();
}

bool passes(const SampleFilter& filter, const chess::Position& position,
            const PositionLabel& label) {
    const bool is_line = label.kind == PositionKind::Line;
    if (is_line ? !filter.lines : !filter.branches) return false;
    double keep = is_line ? filter.keep_lines : filter.keep_branches;
    if (!label.score.is_none()) {
        const int magnitude = std::abs(label.score.value());
        if (magnitude < filter.min_score || magnitude > filter.max_score) return false;
        if (magnitude > kDecided) keep *= filter.keep_decided;
    }
    if (filter.max_disagreement && !label.second_look.is_none() && !label.score.is_none() &&
        std::abs(label.score.win_probability() - label.second_look.win_probability()) >
            *filter.max_disagreement) {
        return false;
    }
    if (filter.keep_unquiet < 1 && !is_quiescent(position)) keep *= filter.keep_unquiet;
    if (keep < 1 && ticket_of(position) >= keep) return false;
    return !(filter.skip_in_check && position.in_check());
}

bool passes(const SampleFilter& filter, const Sample& item) {
    return passes(filter, item.position, item.label);
}

bool passes(const SampleFilter& filter, const SiblingSet& item) {
    // Whether the parent is quiet says nothing of its children, which are what is learnt.
    SampleFilter parents = filter;
    parents.keep_unquiet = 1;
    return item.children.size() >= filter.min_children &&
           passes(parents, item.position, item.label);
}

void collect_children(const LabelledGame& game, std::size_t ply, std::size_t branch,
                      std::vector<SiblingSet::Child>& children) {
    children.clear();
    const auto add = [&](chess::Move move, Score score, PositionKind kind) {
        const bool known = std::any_of(children.begin(), children.end(),
                                       [&](const auto& child) { return child.move == move; });
        if (!known && !score.is_none()) children.push_back({move, score, kind});
    };
    if (ply + 1 < game.line.size()) {
        add(game.line[ply + 1].move, game.line[ply + 1].score, PositionKind::Line);
    }
    for (std::size_t i = branch; i < branch + game.line[ply].branch_count; ++i) {
        const Branch& b = game.branches[i];
        if (b.second.is_none()) add(b.first, b.score, PositionKind::Branch);
    }
}

}  // namespace solis::data
