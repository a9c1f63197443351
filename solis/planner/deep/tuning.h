// The features and constants of the deep plan. Each feature can be turned off, to measure what it
// is worth.
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
    bool history = true;          // history heuristics in the order of moves
    bool continuations = true;    // among them those of the moves before
    bool score_cache = true;      // scores are kept from one iteration to the next
    bool aspiration = true;       // narrow windows around the value of the previous iteration
    bool gains = true;            // expected gains decide which moves are embedded, and when
    bool exchanges = true;        // captures that lose an exchange are embedded late or not at all
    bool singular = false;        // more depth for a table move without a rival
    bool internal_reduction = true;  // less depth where the table knows no move
    // Margins of reverse futility and futility per ply of depth, in ten-thousandths of a latent
    // score.
    int reverse_futility_margin = 900;
    int reverse_futility_depth = 7;
    int futility_margin = 700;
    int futility_depth = 6;
    // Up to depth `lazy_depth` children are embedded in groups until one causes a cutoff; quiet
    // children that are expected to end `gain_margin` per ply below alpha are not embedded.
    int lazy_depth = 8;
    int group = 6;
    int cut_group = 3;  // where a cutoff is expected
    int gain_margin = 600;
    int capture_margin = 800;  // in quiescence: captures expected to end so far below alpha
    // Reductions in hundredths of a ply: reduction_base + reduction_slope * ln(depth) * ln(rank).
    int reduction_base = 40;
    int reduction_slope = 42;
    int history_reduction = 10000;  // tendency that is worth a ply
    int history_weight = 24;        // tendency that is worth one unit of value in the order
    int singular_depth = 7;
    int singular_margin = 40;  // per ply of depth
    // What having the move is worth too much in the model's scores; none: measured.
    std::optional<int> tempo{};
};

// Sets a feature ("null-move", 0 or 1) or a constant ("tempo"); sizes and divisors are at least 1.
// False for an unknown name.
[[nodiscard]] bool set_feature(DeepTuning& tuning, std::string_view name, int value);

}  // namespace solis::planner
