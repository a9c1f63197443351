// Singular extension: does the move of the transposition table have a rival?
#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

// Extensions end at this many times the depth of the iteration, so that no line goes on for ever.
constexpr int kExtendedPlies = 2;
// How much shallower than the search the table's entry may be.
constexpr int kEntryAge = 3;
constexpr Value kDoubleMargin = 30;

}  // namespace

DeepSearch::Singular DeepSearch::look_for_rival(const Node& node, const Course& course) {
    if (!tuning_.singular || node.ply == 0 || !course.whole || !course.entry ||
        course.depth < tuning_.singular_depth || course.entry->bound == Bound::Upper ||
        course.entry->depth < course.depth - kEntryAge ||
        node.ply >= kExtendedPlies * root_depth_) {
        return {};
    }
    const Value value = from_table(course.entry->value, node.ply);
    const Value bar = value - tuning_.singular_margin * course.depth;
    if (is_decided(value) || is_decided(bar)) return {};
    frame(node.ply).excluded = course.entry->move;
    const Value rival = search(node, (course.depth - 1) / 2, {bar - 1, bar});
    frame(node.ply).excluded = chess::Move();
    if (ended()) return {};
    if (rival < bar) {
        return {!course.principal() && rival < bar - kDoubleMargin ? 2 : 1, std::nullopt};
    }
    // Two moves reach beta: the node is expected to fail high with either.
    if (rival >= course.window.beta && !is_decided(rival)) return {0, rival};
    if (value >= course.window.beta) return {course.principal() ? -1 : -2, std::nullopt};
    if (node.expect_cut) return {-1, std::nullopt};
    return {};
}

}  // namespace solis::planner
