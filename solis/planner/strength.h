// UCI_Elo: playing weaker on purpose, by searching less and below that by choosing wrongly.
#pragma once
#include <cstdint>

#include "solis/planner/plan.h"

namespace solis::planner {

struct StrengthLimit {
    std::uint64_t embeddings;  // for one line
    double error;              // how far the worth of a move may be misjudged, in values
};

// Fewer embeddings down to some hundred, then growing errors. Fitted to matches against the ladder
// of docs/strength.md (docs/experiments/play.md).
[[nodiscard]] StrengthLimit strength_at(int elo);

// Puts the line first that looks best when every line is misjudged at random by up to `error`.
// The same for the same seed and position.
void misjudge(Plan& plan, double error, std::uint64_t seed);

}  // namespace solis::planner
