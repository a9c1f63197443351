// Late move reductions: by how many plies less a child is searched first.
#pragma once
#include "solis/planner/deep/tuning.h"

namespace solis::planner {

// What speaks for and against a child before it is searched.
struct ReductionCase {
    int depth;          // of its parent
    int rank;           // among the children searched so far; the first is 0
    int tendency;       // what histories say, see quiet_tendency(); 0 for captures
    bool principal;     // the parent's window is open: it may lie on the principal variation
    bool expected_cut;  // the parent is expected to fail high, so that its later children matter
                        // little
    bool improving;     // the mover's score is better than two plies ago
    bool check;         // the move gives check or answers one
    bool quiet;
};

// In plies; at least 0 and at most so many that one ply is left.
[[nodiscard]] int reduction(const ReductionCase& child, const DeepTuning& tuning);

}  // namespace solis::planner
