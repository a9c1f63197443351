// Choosing children, and asking a judge about a game.
#include "solis/data/game_labels.h"

#include <algorithm>

#include "solis/chess/movegen.h"
#include "solis/chess/random_positions.h"
#include "solis/chess/rules.h"

namespace solis::data {
namespace {

using chess::Move;
using chess::Position;

ChosenChild child_after(const Position& position, Move first, bool two_plies, Rng& rng) {
    ChosenChild child{{first, {}, {}}, position.after(first)};
    std::optional<Score> by_rules = label_by_rules(child.end);
    if (two_plies && !by_rules) {
        child.branch.second = chess::random_move(chess::legal_moves(child.end), rng);
        child.end = child.end.after(child.branch.second);
        by_rules = label_by_rules(child.end);
    }
    if (by_rules) child.branch.score = *by_rules;
    return child;
}

}  // namespace

std::optional<Score> label_by_rules(const Position& position) {
    const auto outcome = chess::outcome(position, chess::Claims::Ignored);
    if (!outcome) return std::nullopt;
    return outcome->winner ? Score::mated_in(0) : Score::centipawns(0);
}

std::vector<ChosenChild> choose_children(const Position& position, Move played,
                                         const ChildOptions& options, Rng& rng) {
    std::vector<ChosenChild> children;
    if (options.per_position == 0) return children;
    std::vector<Move> others;
    for (const Move move : chess::legal_moves(position)) {
        if (move != played) others.push_back(move);
    }
    const bool all = options.per_position == ChildOptions::kAll;
    const std::size_t wanted =
        all ? others.size()
            : std::min(others.size(), static_cast<std::size_t>(options.per_position));
    children.reserve(wanted);
    for (std::size_t i = 0; i < wanted; ++i) {
        if (!all) std::swap(others[i], others[i + rng.below(others.size() - i)]);
        const bool two_plies = !all && rng.chance(options.two_ply_share);
        children.push_back(child_after(position, others[i], two_plies, rng));
    }
    return children;
}

void label_game(LabelledGame& game, const ChildOptions& options, Seed seed, Judge& judge,
                const LabelDemand& demand) {
    Rng rng(seed);
    Position position = game.start;
    game.branches.clear();
    for (std::size_t ply = 0; ply < game.line.size(); ++ply) {
        Ply& here = game.line[ply];
        if (ply > 0) position = position.after(here.move);
        here = {here.move, {}, {}, 0};
        const std::optional<Score> by_rules = label_by_rules(position);
        if (demand.wants_position(ply, position)) {
            here.score = by_rules ? *by_rules : judge.judge(position);
        }
        if (by_rules || !demand.wants_children(ply)) continue;
        const Move played = ply + 1 < game.line.size() ? game.line[ply + 1].move : Move();
        for (ChosenChild& child : choose_children(position, played, options, rng)) {
            if (child.branch.score.is_none() && demand.wants_child(child.end)) {
                child.branch.score = judge.judge(child.end);
            }
            game.branches.push_back(child.branch);
            ++here.branch_count;
        }
    }
}

}  // namespace solis::data
