// Features by name.
#include "solis/planner/deep/tuning.h"

#include <array>
#include <utility>

namespace solis::planner {
namespace {

constexpr std::array<std::pair<std::string_view, bool DeepTuning::*>, 8> kFeatures{{
    {"null-move", &DeepTuning::null_move},
    {"reverse-futility", &DeepTuning::reverse_futility},
    {"latent-futility", &DeepTuning::latent_futility},
    {"rank-reduction", &DeepTuning::rank_reduction},
    {"history", &DeepTuning::history},
    {"score-cache", &DeepTuning::score_cache},
    {"aspiration", &DeepTuning::aspiration},
    {"gains", &DeepTuning::gains},
}};

constexpr std::array<std::pair<std::string_view, int DeepTuning::*>, 5> kNumbers{{
    {"reverse-futility-margin", &DeepTuning::reverse_futility_margin},
    {"futility-margin", &DeepTuning::futility_margin},
    {"lazy-depth", &DeepTuning::lazy_depth},
    {"gain-margin", &DeepTuning::gain_margin},
    {"group", &DeepTuning::group},
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
            return true;
        }
    }
    if (name == "tempo") tuning.tempo = value;
    return name == "tempo";
}

}  // namespace solis::planner
