// Games as sequences of positions: of any kind of input, or played by the model for the purpose.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solis/analysis/space/listener.h"
#include "solis/analysis/space/space_model.h"
#include "solis/base/rng.h"
#include "solis/chess/game_result.h"
#include "solis/chess/pgn/game.h"
#include "solis/chess/position.h"

namespace solis::analysis {

// The main line of a game.
struct SeenGame {
    std::string name;  // "White - Black, Event, Date"; may be empty
    chess::GameResult result = chess::GameResult::Unknown;
    std::vector<chess::Position> positions;  // from the start on
    std::vector<chess::Move> moves;          // one fewer
    // White's win probability; as many as positions, or none.
    std::vector<std::optional<float>> labels;
};

[[nodiscard]] SeenGame seen_game(const chess::PgnGame& game);
// "12.Nf3" or "12...Nf6": the move that led to positions[ply]; ply counts from 1.
[[nodiscard]] std::string move_text(const SeenGame& game, std::size_t ply);

// Calls `use` with each game of a PGN file, a store, or any dataset; lists of FEN or EPD are games
// of one position. `use` answers false to end it. Broken games are skipped with a warning.
[[nodiscard]] Result<void> read_games(const std::string& input, const Listener& listener,
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
// One game won by White, one drawn, one won by Black, of a length that can be followed on a map;
// where a result does not come up soon, another stands in its place.
[[nodiscard]] std::vector<SeenGame> generated_examples(const SpaceModel& model, Seed seed);

}  // namespace solis::analysis
