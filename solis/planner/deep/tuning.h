// The features and constants of the deep plan. Each feature can be turned off, to measure what it
// is worth. Values are log-odds in quarters of a centipawn (LogOdds).
#pragma once
#include <optional>
#include <string_view>

namespace solis::planner {

struct DeepTuning {
    bool null_move = true;         // cutoff where the side to move is above beta even if it passes
    bool reverse_futility = true;  // near the leaves, cutoff where the value is far above beta
    bool razoring = true;          // near the leaves, quiescence where the value is far below alpha
    bool probcut = true;           // cutoff where a capture is far above beta in a shallow search
    bool futility = true;          // near the leaves, moves that cannot reach alpha are left out
    bool late_moves = true;        // near the leaves, only the first quiet moves are searched
    bool history_pruning = true;   // quiet moves that were bad elsewhere are left out
    bool exchanges = true;         // moves that lose an exchange are left out
    bool reductions = true;        // late move reductions
    bool singular = true;          // more depth for a table move without a rival
    bool internal_reduction = true;     // less depth where the table knows no move
    bool corrections = true;            // latent values corrected by what was found in similar ones
    bool aspiration = true;             // narrow windows around the value of the previous iteration
    int reverse_futility_margin = 210;  // per ply
    int reverse_futility_depth = 10;
    int razoring_margin = 440;  // and 3/4 of it for the square of the depth
    int futility_base = 105;
    int futility_tendency = 23;  // tendency that is worth one unit of value in futility
    int futility_margin = 188;   // per ply
    int futility_depth = 10;
    int capture_margin = 220;   // in quiescence, beside what such captures gain
    int null_move_ahead = 190;  // one ply more for each so far above beta
    int late_moves_base = 6;    // quiet moves searched: (base + depth^2), half if not improving
    int history_margin = 2300;  // tendency per ply below which a quiet move is left out
    // Reductions in hundredths of a ply: reduction_base + reduction_slope * ln(depth) * ln(rank).
    int reduction_base = 95;
    int reduction_slope = 38;
    int history_reduction = 8500;  // tendency that is worth a ply
    int principal_reduction = 95;  // less in an open window, and as much where there was one
    int cut_reduction = 95;        // more where the node is expected to fail high
    int worse_reduction = 80;      // more where the mover's value does not improve
    int cutoffs_reduction = 120;   // more where the replies to the moves before cut off
    int check_reduction = 100;     // less for checks and answers to them
    int capture_reduction = 107;   // less for captures
    int much_better = 47;          // above the best: a reduced move is looked at again a ply deeper
    int hardly_better = 10;        // or a ply less deep
    int much_harm = 185;           // to its own side, for which a reduced move is reduced more
    int history_square = 17;       // bonus of a move that cut off, times the square of the depth
    int history_linear = 75;       // times the depth
    int history_most = 1600;
    int null_move_base = 41;   // plies less, in tenths
    int null_move_slope = 33;  // plies less per ply of depth, in hundredths
    int singular_depth = 4;
    int singular_margin = 5;  // per ply of depth
    int probcut_margin = 235;
    int aspiration_width = 25;
    // What having the move is worth too much in the model's scores, in ten-thousandths; none:
    // measured.
    std::optional<int> tempo{};
};

// Sets a feature ("null-move", 0 or 1) or a constant ("tempo"); sizes and divisors are at least 1.
// False for an unknown name.
[[nodiscard]] bool set_feature(DeepTuning& tuning, std::string_view name, int value);
// The constant of that name; none where there is none. Features are not constants.
[[nodiscard]] std::optional<int> constant(const DeepTuning& tuning, std::string_view name);

}  // namespace solis::planner
