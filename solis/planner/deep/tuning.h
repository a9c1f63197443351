// The features of the deep plan. Each can be turned off, to measure what it is worth.
#pragma once
#include <optional>
#include <string_view>

namespace solis::planner {

struct DeepTuning {
    bool null_move = true;  // a side that can pass and still be above beta is not searched on
    bool reverse_futility = true;  // near the leaves, a latent score far above beta is believed
    bool latent_futility = true;   // ... and children far below alpha are left out
    bool rank_reduction = true;    // children of low latent rank are looked at less deep
    bool history = true;           // what refuted elsewhere moves up in the order
    bool score_cache = true;       // scores are kept from one iteration to the next
    bool aspiration = true;
    bool gains = true;  // what quiet moves gained before says which are embedded first, or at all
    // Constants of the above, in ten-thousandths of a latent score.
    int reverse_futility_margin = 900;
    int futility_margin = 700;
    // Up to this depth children are embedded in groups of this size until one is good enough, and
    // quiet ones not at all that are expected to end this far below alpha.
    int lazy_depth = 2;
    int group = 6;
    int gain_margin = 600;
    // What having the move is worth too much in the model's scores; none: measured.
    std::optional<int> tempo{};
};

// Sets a feature ("null-move", 0 or 1) or a constant ("tempo"). False for an unknown name.
[[nodiscard]] bool set_feature(DeepTuning& tuning, std::string_view name, int value);

}  // namespace solis::planner
