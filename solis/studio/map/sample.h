// The games behind a map: which positions of which games its points are.
#pragma once
#include <string>
#include <vector>

#include "solis/analysis/space/similar_index.h"

namespace solis::studio {

// No model is needed for it: every model can embed the same positions.
struct GameSample {
    std::vector<analysis::SimilarIndex::Game> games;
    std::vector<analysis::PlayedPosition> rows;
    std::string source;  // for captions

    // The positions of the rows, in their order.
    [[nodiscard]] std::vector<chess::Position> positions() const;
};

// At most `count` different positions of games drawn from the input (as of analysis::read_games),
// or of games that `player` plays with itself where the input is empty. The same for the same seed.
[[nodiscard]] Result<GameSample> sample_games(const std::string& input, std::size_t count,
                                              Seed seed, const analysis::SpaceModel& player,
                                              const analysis::Listener& listener);

}  // namespace solis::studio
