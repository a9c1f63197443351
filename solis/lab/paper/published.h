// The results that the paper publishes, for comparison with ours and for what they say themselves.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "solis/model/scoring.h"

namespace solis::lab {

enum class PaperModel : std::uint8_t { Base, Mini };
using model::Scoring;

[[nodiscard]] constexpr std::string_view to_string(PaperModel model) {
    return model == PaperModel::Base ? "base" : "mini";
}

// 100 games against Stockfish with UCI_Elo set to `cap`, 50 ms per move.
struct PaperCell {
    int cap = 0;  // 0: no such cell
    int wins = 0, draws = 0, losses = 0;
};

// One configuration against all the caps it met, 6 or 7 of them.
struct PaperColumn {
    PaperModel model;
    Scoring scoring;
    int depth;  // S, plies
    int width;  // W
    std::array<PaperCell, 7> cells;
};

// Points of SOLIS with W = 3 in 200 games against Stockfish at equal depth.
struct PaperMatch {
    PaperModel model;
    int depth;
    double unanchored, anchored;
};

// Nodes per move in those matches: the most SOLIS can expand, what Stockfish searched.
struct PaperNodes {
    int depth;
    int solis_most;
    int stockfish_average, stockfish_most;
};

// By scoring, model, depth and width.
[[nodiscard]] std::span<const PaperColumn> paper_columns();
[[nodiscard]] std::span<const PaperMatch> paper_matches();
[[nodiscard]] std::span<const PaperNodes> paper_nodes();
// Games A to I of the appendix, as PGN: five against capped Stockfish, then four at equal depth.
[[nodiscard]] std::string_view paper_games();

}  // namespace solis::lab
