// Late move reductions: by how many plies less a move is searched first.
#pragma once
#include "solis/planner/deep/tuning.h"

namespace solis::planner {

// What speaks for and against a move before it is searched.
struct ReductionCase {
    int depth;           // of the node
    int rank;            // among the moves searched so far; the first is 0
    int tendency;        // what histories say, see quiet_tendency(); 0 for captures
    bool principal;      // the node's window is open: it may lie on the principal variation
    bool was_principal;  // the node is or has been part of a principal variation
    bool expected_cut;   // the node is expected to fail high, so that its later moves matter little
    bool improving;      // the mover's value is better than two plies ago
    bool check;          // the move gives check or answers one
    bool quiet;
    int cutoffs;  // among the replies to the moves before it
};

// In plies, before it is limited to the depth that there is. May be negative.
[[nodiscard]] int reduction(const ReductionCase& move, const DeepTuning& tuning);

}  // namespace solis::planner
