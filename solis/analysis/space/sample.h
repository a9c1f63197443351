// A sample of the positions of an input, each with where it comes from.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solis/analysis/space/games.h"

namespace solis::analysis {

// A position of a game of the input.
struct PositionOrigin {
    std::uint32_t game = 0;  // from 1
    std::uint32_t ply = 0;   // from the start of the game
};

// Such a game without what its moves tell.
struct SampledGame {
    std::string name;  // may be empty
    chess::GameResult result = chess::GameResult::Unknown;
    chess::Position start = chess::Position::start();
    std::vector<chess::Move> moves;
};

struct PositionSample {
    std::vector<chess::Position> positions;
    std::vector<std::optional<float>> labels;  // White's win probability, where the input has one
    std::vector<PositionOrigin> origins;
    std::map<std::uint32_t, SampledGame> games;  // those that origins name
    std::string source;                          // for captions

    [[nodiscard]] const SampledGame& game_of(std::size_t i) const {
        return games.at(origins[i].game);
    }
    // What was played in the position; none at the end of its game.
    [[nodiscard]] std::optional<chess::Move> played(std::size_t i) const;

    // "game 3: Ann - Bob, ply 12".
    [[nodiscard]] std::string origin_text(std::size_t i) const;
};

// At most `count` different positions, each equally likely to be taken; of generated games where
// `input` is empty. The same for the same seed.
[[nodiscard]] Result<PositionSample> sample_positions(const std::string& input, std::size_t count,
                                                      Seed seed, const SpaceModel& model,
                                                      const Listener& listener = {});

}  // namespace solis::analysis
