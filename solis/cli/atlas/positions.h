// Positions for the atlas, from any kind of input or from games that are played for the purpose.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solis/base/console.h"
#include "solis/base/rng.h"
#include "solis/chess/game_result.h"
#include "solis/chess/pgn/game.h"
#include "solis/chess/position.h"
#include "solis/cli/atlas/space_model.h"

namespace solis::cli {

// The main line of a game.
struct SeenGame {
    std::string name;  // "White - Black, Event 2024.01.01"; may be empty
    chess::GameResult result = chess::GameResult::Unknown;
    std::vector<chess::Position> positions;  // from the start on
    std::vector<chess::Move> moves;          // one fewer
    std::vector<std::optional<float>>
        labels;  // White's win probability; as many as positions, or none
};

// Calls `use` with each game of a PGN file, a store, or any dataset; lists of FEN or EPD are games
// of one position. `use` answers false to end it. Broken games are warned of and skipped.
[[nodiscard]] Result<void> read_games(const std::string& input, Console& console,
                                      const std::function<bool(SeenGame&&)>& use);

// How much chance there is in the moves of each side: 0.01 is nearly the best move, 0.4 nearly any.
struct Temperatures {
    double white = 0.01;
    double black = 0.01;
};
// Different ones for each side, so that all results occur.
[[nodiscard]] Temperatures drawn_temperatures(Rng& rng);

// A game in which the model plays both sides from a random opening: moves are drawn by their latent
// score.
[[nodiscard]] SeenGame generated_game(const SpaceModel& model, const Temperatures& temperatures,
                                      Rng& rng);
[[nodiscard]] inline SeenGame generated_game(const SpaceModel& model, Rng& rng) {
    return generated_game(model, drawn_temperatures(rng), rng);
}

struct PositionSample {
    std::vector<chess::Position> positions;
    std::vector<std::optional<float>> labels;  // White's win probability, where the input has one
    std::string source;                        // for captions
};

// At most `count` different positions, each equally likely to be taken; of generated games where
// `input` is empty. The same for the same seed.
[[nodiscard]] Result<PositionSample> sample_positions(const std::string& input, std::size_t count,
                                                      Seed seed, const SpaceModel& model,
                                                      Console& console);

}  // namespace solis::cli
