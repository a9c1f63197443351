// The features of the deep plan. Each can be turned off, to measure what it is worth.
#pragma once
#include <optional>
#include <string_view>

namespace solis::planner {

struct DeepTuning {
    bool null_move = true;  // cutoff where the side to move is above beta even if it passes
    bool reverse_futility =
        true;  // near the leaves, cutoff where the latent score is far above beta
    bool latent_futility = true;  // near the leaves, children far below alpha are left out
    bool rank_reduction = true;   // late move reductions: less depth for low latent ranks
    bool history = true;          // history heuristic in the order of quiet moves
    bool score_cache = true;      // scores are kept from one iteration to the next
    bool aspiration = true;       // narrow windows around the value of the previous iteration
    bool gains = true;            // expected gains decide which quiet moves are embedded, and when
    // Margins of reverse futility and futility per ply of depth, in ten-thousandths of a latent
    // score.
    int reverse_futility_margin = 900;
    int futility_margin = 700;
    // Up to depth `lazy_depth` children are embedded in groups of `group` until one causes a
    // cutoff; quiet children that are expected to end `gain_margin` per ply below alpha are not
    // embedded.
    int lazy_depth = 2;
    int group = 6;
    int gain_margin = 600;
    // What having the move is worth too much in the model's scores; none: measured.
    std::optional<int> tempo{};
};

// Sets a feature ("null-move", 0 or 1) or a constant ("tempo"). False for an unknown name.
[[nodiscard]] bool set_feature(DeepTuning& tuning, std::string_view name, int value);

}  // namespace solis::planner
