// The results of recorded matches, for ratings.
#include "lab/rating/record_results.h"

#include "lab/rating/pgn_results.h"

namespace solis::lab {

void add_records(ResultTable& table, std::span<const GameRecord> games) {
    std::vector<PlayedGame> played;
    for (const GameRecord& game : games) {
        const auto result = half_points(game.result);
        if (!result || game.white == game.black) continue;
        // The number of the pair stands for the opening and for the round.
        played.push_back({game.white, game.black, *result, game.number / 2, ""});
    }
    add_games(table, played);
}

}  // namespace solis::lab
