// Features by name.
#include "solis/planner/deep/tuning.h"

#include <algorithm>
#include <array>
#include <utility>

namespace solis::planner {
namespace {

constexpr std::array<std::pair<std::string_view, bool DeepTuning::*>, 12> kFeatures{{
    {"null-move", &DeepTuning::null_move},
    {"reverse-futility", &DeepTuning::reverse_futility},
    {"latent-futility", &DeepTuning::latent_futility},
    {"rank-reduction", &DeepTuning::rank_reduction},
    {"history", &DeepTuning::history},
    {"continuations", &DeepTuning::continuations},
    {"score-cache", &DeepTuning::score_cache},
    {"aspiration", &DeepTuning::aspiration},
    {"gains", &DeepTuning::gains},
    {"exchanges", &DeepTuning::exchanges},
    {"singular", &DeepTuning::singular},
    {"internal-reduction", &DeepTuning::internal_reduction},
}};

constexpr std::array<std::pair<std::string_view, int DeepTuning::*>, 15> kNumbers{{
    {"reverse-futility-margin", &DeepTuning::reverse_futility_margin},
    {"reverse-futility-depth", &DeepTuning::reverse_futility_depth},
    {"futility-margin", &DeepTuning::futility_margin},
    {"futility-depth", &DeepTuning::futility_depth},
    {"lazy-depth", &DeepTuning::lazy_depth},
    {"group", &DeepTuning::group},
    {"cut-group", &DeepTuning::cut_group},
    {"gain-margin", &DeepTuning::gain_margin},
    {"capture-margin", &DeepTuning::capture_margin},
    {"reduction-base", &DeepTuning::reduction_base},
    {"reduction-slope", &DeepTuning::reduction_slope},
    {"history-reduction", &DeepTuning::history_reduction},
    {"history-weight", &DeepTuning::history_weight},
    {"singular-depth", &DeepTuning::singular_depth},
    {"singular-margin", &DeepTuning::singular_margin},
}};

}  // namespace

bool set_feature(DeepTuning& tuning, std::string_view name, int value) {
    for (const auto& [known, member] : kFeatures) {
        if (known == name) {
            tuning.*member = value != 0;
            return true;
        }
    }
    for (const auto& [known, member] : kNumbers) {
        if (known == name) {
            tuning.*member = value;
            for (const auto least_one :
                 {&DeepTuning::group, &DeepTuning::cut_group, &DeepTuning::history_weight,
                  &DeepTuning::history_reduction}) {
                tuning.*least_one = std::max(tuning.*least_one, 1);
            }
            return true;
        }
    }
    if (name == "tempo") tuning.tempo = value;
    return name == "tempo";
}

}  // namespace solis::planner
