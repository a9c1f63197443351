// Pruning of whole nodes of the deep plan: what a latent value allows to be left unsearched.
#include <algorithm>

#include "solis/chess/rules.h"
#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

using chess::Move;
using chess::Position;

constexpr int kRazoringDepth = 4;
constexpr int kProbcutDepth = 5;
constexpr int kProbcutLess = 4;  // plies

// With kings and pawns alone zugzwang is common: having to move may be a disadvantage, and that the
// side to move could pass says nothing.
bool has_pieces(const Position& position) {
    const chess::Bitboard kings_and_pawns =
        position.pieces(chess::PieceType::Pawn) | position.pieces(chess::PieceType::King);
    return (position.pieces(position.side_to_move()) & ~kings_and_pawns) != 0;
}

}  // namespace

// The value is so far above beta that a shallow search would not bring it down.
MaybeValue DeepSearch::reverse_futility(const Course& course, Value estimate) const {
    if (!tuning_.reverse_futility || course.depth > tuning_.reverse_futility_depth ||
        is_decided(course.window.beta) || is_decided(estimate)) {
        return std::nullopt;
    }
    const Value margin =
        tuning_.reverse_futility_margin * (course.depth - (course.improving ? 1 : 0));
    if (estimate - margin < course.window.beta) return std::nullopt;
    return course.window.beta + (estimate - course.window.beta) / 3;
}

// The value is so far below alpha that only captures could save it.
MaybeValue DeepSearch::razor(const Node& node, const Course& course, Value estimate) {
    if (!tuning_.razoring || course.depth > kRazoringDepth || is_decided(course.window.alpha) ||
        estimate + tuning_.razoring_margin * (1 + 3 * course.depth * course.depth / 4) >
            course.window.alpha) {
        return std::nullopt;
    }
    const Value value = quiescence(node, course.window);
    if (ended()) return 0;
    if (value <= course.window.alpha) return value;
    return std::nullopt;
}

// The node stays above beta even after the side to move passes.
MaybeValue DeepSearch::null_move_cutoff(const Node& node, const Course& course, Value estimate) {
    const Value beta = course.window.beta;
    if (!tuning_.null_move || course.depth < 2 || estimate < beta || course.value < beta ||
        is_decided(beta) || (node.ply > 0 && frame(node.ply - 1).passed) ||
        !has_pieces(node.position)) {
        return std::nullopt;
    }
    const Position position = node.position.after_pass();
    const std::uint64_t key = scorer_.key_of(position);
    shared_.table.prefetch(key);
    scorer_.prefetch(key);
    if (!chess::has_legal_move(position)) return std::nullopt;
    keys_.push_back(position.key());
    Frame& here = frame(node.ply);
    here.played = kNoPieceTo;
    here.passed = true;
    const int ahead = std::min((estimate - beta) / tuning_.null_move_ahead, 5);
    const int less =
        (10 * tuning_.null_move_base + tuning_.null_move_slope * course.depth) / 100 + ahead;
    const Node next{position, node.ply + 1, false, !node.expect_cut};
    const Value value = -search(next, course.depth - less, {-beta, -beta + 1});
    here.passed = false;
    keys_.pop_back();
    if (ended()) return 0;
    if (value < beta) return std::nullopt;
    // A mate after a null move is no mate of the game: it is only known that beta is reached.
    return is_decided(value) ? beta : value;
}

// A capture is far above beta in a shallow search: the deep one would confirm it.
MaybeValue DeepSearch::probcut(const Node& node, const Course& course) {
    const Value bar = course.window.beta + tuning_.probcut_margin;
    if (!tuning_.probcut || course.depth < kProbcutDepth || is_decided(course.window.beta) ||
        is_decided(bar)) {
        return std::nullopt;
    }
    if (course.entry && course.entry->depth >= course.depth - kProbcutLess + 1 &&
        course.entry->bound != Bound::Lower && from_table(course.entry->value, node.ply) < bar) {
        return std::nullopt;
    }
    MovePicker picker(
        {.position = node.position, .table_move = course.table_move(), .captures_only = true},
        moves_);
    Frame& here = frame(node.ply);
    for (MovePicker::Choice choice; picker.next(choice);) {
        prefetch_child(node.position, choice.move);
        const Position position = node.position.after(choice.move);
        keys_.push_back(position.key());
        here.played = piece_to(node.position, choice.move);
        const Node next{position, node.ply + 1, position.in_check(), !node.expect_cut};
        Value value = -quiescence(next, {-bar, -bar + 1});
        if (value >= bar && !ended()) {
            value = -search(next, course.depth - kProbcutLess, {-bar, -bar + 1});
        }
        keys_.pop_back();
        if (ended()) return 0;
        if (value < bar) continue;
        shared_.table.store(scorer_.key_of(node.position),
                            {choice.move, to_table(value, node.ply), here.latent,
                             course.depth - kProbcutLess + 1, Bound::Lower, course.was_principal});
        return is_decided(value) ? value : value - tuning_.probcut_margin;
    }
    return std::nullopt;
}

}  // namespace solis::planner
