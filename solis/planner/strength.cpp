// From a rating to embeddings and errors.
#include "solis/planner/strength.h"

#include <algorithm>
#include <cmath>

#include "solis/base/rng.h"

namespace solis::planner {
namespace {

// This many embeddings play at about this rating, and each doubling adds this much.
constexpr double kKnownElo = 2190;
constexpr double kKnownEmbeddings = 1200;
constexpr double kEloPerDoubling = 135;
// With fewer embeddings than this a plan no longer gets weaker in a way that resembles a weaker
// player.
constexpr double kFewestEmbeddings = 300;
// Errors of 900 and 2,400 ten-thousandths cost about 45 and 325 Elo: what an error costs grows with
// its square.
constexpr double kErrorPerRootOfElo = 120;

}  // namespace

StrengthLimit strength_at(int elo) {
    const double embeddings = kKnownEmbeddings * std::exp2((elo - kKnownElo) / kEloPerDoubling);
    const double missing = std::log2(kFewestEmbeddings / embeddings) * kEloPerDoubling;
    return {static_cast<std::uint64_t>(std::max(embeddings, kFewestEmbeddings)),
            kErrorPerRootOfElo * std::sqrt(std::max(missing, 0.0))};
}

void misjudge(Plan& plan, double error, std::uint64_t seed) {
    if (error <= 0 || plan.lines.empty()) return;
    Rng rng(Seed{seed});
    std::size_t chosen = 0;
    double best = 0;
    for (std::size_t i = 0; i < plan.lines.size(); ++i) {
        // A mate counts as no more than the largest score, because a weak player overlooks mates.
        const Value seen = std::clamp(plan.lines[i].value, -kScoreUnit, kScoreUnit);
        const double judged = seen + error * (2 * rng.unit() - 1);
        if (i == 0 || judged > best) {
            best = judged;
            chosen = i;
        }
    }
    std::rotate(plan.lines.begin(), plan.lines.begin() + static_cast<std::ptrdiff_t>(chosen),
                plan.lines.begin() + static_cast<std::ptrdiff_t>(chosen) + 1);
}

}  // namespace solis::planner
