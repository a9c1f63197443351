// Features by name.
#include "solis/planner/deep/tuning.h"

#include <algorithm>
#include <array>
#include <utility>

namespace solis::planner {
namespace {

constexpr auto kFeatures = std::to_array<std::pair<std::string_view, bool DeepTuning::*>>({
    {"null-move", &DeepTuning::null_move},
    {"reverse-futility", &DeepTuning::reverse_futility},
    {"razoring", &DeepTuning::razoring},
    {"probcut", &DeepTuning::probcut},
    {"futility", &DeepTuning::futility},
    {"late-moves", &DeepTuning::late_moves},
    {"history-pruning", &DeepTuning::history_pruning},
    {"exchanges", &DeepTuning::exchanges},
    {"reductions", &DeepTuning::reductions},
    {"singular", &DeepTuning::singular},
    {"internal-reduction", &DeepTuning::internal_reduction},
    {"corrections", &DeepTuning::corrections},
    {"aspiration", &DeepTuning::aspiration},
});

// With the least value that makes sense.
struct Number {
    std::string_view name;
    int DeepTuning::*member;
    int least;
};
constexpr auto kNumbers = std::to_array<Number>({
    {"reverse-futility-margin", &DeepTuning::reverse_futility_margin, 0},
    {"reverse-futility-depth", &DeepTuning::reverse_futility_depth, 0},
    {"razoring-margin", &DeepTuning::razoring_margin, 0},
    {"futility-base", &DeepTuning::futility_base, 0},
    {"futility-margin", &DeepTuning::futility_margin, 0},
    {"futility-tendency", &DeepTuning::futility_tendency, 1},
    {"futility-depth", &DeepTuning::futility_depth, 0},
    {"capture-margin", &DeepTuning::capture_margin, 0},
    {"null-move-ahead", &DeepTuning::null_move_ahead, 1},
    {"late-moves-base", &DeepTuning::late_moves_base, 0},
    {"history-margin", &DeepTuning::history_margin, 0},
    {"reduction-base", &DeepTuning::reduction_base, 0},
    {"reduction-slope", &DeepTuning::reduction_slope, 0},
    {"history-reduction", &DeepTuning::history_reduction, 1},
    {"principal-reduction", &DeepTuning::principal_reduction, 0},
    {"cut-reduction", &DeepTuning::cut_reduction, 0},
    {"worse-reduction", &DeepTuning::worse_reduction, 0},
    {"cutoffs-reduction", &DeepTuning::cutoffs_reduction, 0},
    {"check-reduction", &DeepTuning::check_reduction, 0},
    {"capture-reduction", &DeepTuning::capture_reduction, 0},
    {"much-better", &DeepTuning::much_better, 0},
    {"hardly-better", &DeepTuning::hardly_better, 0},
    {"much-harm", &DeepTuning::much_harm, 0},
    {"history-square", &DeepTuning::history_square, 0},
    {"history-linear", &DeepTuning::history_linear, 0},
    {"history-most", &DeepTuning::history_most, 1},
    {"null-move-base", &DeepTuning::null_move_base, 10},
    {"null-move-slope", &DeepTuning::null_move_slope, 0},
    {"singular-depth", &DeepTuning::singular_depth, 4},
    {"singular-margin", &DeepTuning::singular_margin, 0},
    {"probcut-margin", &DeepTuning::probcut_margin, 0},
    {"aspiration-width", &DeepTuning::aspiration_width, 1},
});

}  // namespace

bool set_feature(DeepTuning& tuning, std::string_view name, int value) {
    for (const auto& [known, member] : kFeatures) {
        if (known == name) {
            tuning.*member = value != 0;
            return true;
        }
    }
    for (const auto& [known, member, least] : kNumbers) {
        if (known == name) {
            tuning.*member = std::max(value, least);
            return true;
        }
    }
    if (name == "tempo") tuning.tempo = value;
    return name == "tempo";
}

std::optional<int> constant(const DeepTuning& tuning, std::string_view name) {
    for (const Number& number : kNumbers) {
        if (number.name == name) return tuning.*number.member;
    }
    return std::nullopt;
}

}  // namespace solis::planner
