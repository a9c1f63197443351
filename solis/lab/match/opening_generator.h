// Makes balanced openings: lines of moves none of which an engine dislikes.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/chess/position.h"
#include "solis/data/score.h"
#include "solis/engine/client/uci_client.h"

namespace solis::lab {

struct GeneratorOptions {
    engine::EngineSpec engine;  // must know MultiPV
    std::size_t count = 500;
    int plies = 8;
    std::uint64_t nodes = 4000;  // for each position on the way
    int choices = 8;             // moves that are compared at each ply
    int window = 40;             // centipawns that a move may be worse than the best
    int max_score = 60;          // of the position reached, either way
    Seed seed{1};
};

struct GeneratedOpening {
    chess::Position position;
    data::Score score;  // of the side to move

    friend bool operator==(const GeneratedOpening&, const GeneratedOpening&) = default;
};

// Distinct positions in which the side to move is not in check. The same for the same seed, engine
// and options. `going_on` sees how many there are and says whether to continue; what was found so
// far is returned. Fails where lines repeat so often that there are not enough of them.
[[nodiscard]] Result<std::vector<GeneratedOpening>> generate_openings(
    const GeneratorOptions& options, const std::function<bool(std::size_t)>& going_on);

}  // namespace solis::lab
