// Singular extension: does the move of the transposition table have a rival?
#include <algorithm>

#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

// Extensions end at this many times the depth of the iteration, so that no line goes on for ever.
constexpr int kExtendedPlies = 2;
// How much older than the search the table's entry may be.
constexpr int kEntryAge = 3;

}  // namespace

std::optional<Value> DeepSearch::look_for_rival(const Node& node, Course& course,
                                                const TableEntry& entry) {
    const Value value = from_table(entry.value, node.ply);
    if (!tuning_.singular || course.depth < tuning_.singular_depth || entry.move.is_none() ||
        entry.bound == Bound::Upper || entry.depth < course.depth - kEntryAge ||
        is_decided(value) || node.ply >= kExtendedPlies * root_depth_) {
        return std::nullopt;
    }
    const Value bar = value - tuning_.singular_margin * course.depth;
    if (is_decided(bar)) return std::nullopt;
    frame(node.ply).excluded = entry.move;
    const Value rival = search(node, (course.depth - 1) / 2, {bar - 1, bar});
    frame(node.ply).excluded = chess::Move();
    if (ended()) return std::nullopt;
    if (rival < bar) {
        course.table_extension = 1;
    } else if (bar >= course.window.beta && course.window.is_null()) {
        // Two moves reach beta: the node is expected to fail high with either.
        return bar;
    } else if (value >= course.window.beta) {
        course.table_extension = -1;
    }
    return std::nullopt;
}

}  // namespace solis::planner
