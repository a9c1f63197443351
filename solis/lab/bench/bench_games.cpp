// Labelled games for benchmarks.
#include "solis/lab/bench/bench_games.h"

#include <memory>

#include "solis/base/rng.h"
#include "solis/chess/random_positions.h"
#include "solis/data/store/reader.h"

namespace solis::lab {
namespace {

data::Score drifted(data::Score before, Rng& rng) {
    const int step = static_cast<int>(rng.below(201)) - 100;
    return data::Score::centipawns(-before.value() + step);
}

// Random games with drifting scores and one branch per position, where no store is given.
data::LabelledGame synthetic_game(Rng& rng) {
    constexpr std::size_t kGamePlies = 100;
    data::LabelledGame game;
    chess::Position position = game.start;
    game.line.push_back({{}, data::Score::centipawns(0), {}, 0});
    while (game.line.size() < kGamePlies) {
        const chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) break;
        const data::Score score = game.line.back().score;
        game.branches.push_back({chess::random_move(moves, rng), {}, drifted(score, rng)});
        game.line.back().branch_count = 1;
        const chess::Move move = chess::random_move(moves, rng);
        position = position.after(move);
        game.line.push_back({move, drifted(score, rng), {}, 0});
    }
    return game;
}

}  // namespace

Result<std::vector<data::LabelledGame>> bench_games(const std::string& store, std::size_t wanted) {
    std::vector<data::LabelledGame> games;
    std::size_t positions = 0;
    Rng rng(Seed{1});
    std::unique_ptr<data::StoreSource> source;
    if (!store.empty()) {
        auto opened = data::StoreSource::open(store);
        if (!opened) return tl::unexpected(opened.error());
        source = std::move(*opened);
    }
    while (positions < wanted) {
        data::LabelledGame game;
        if (source) {
            const auto more = source->next(game);
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
        } else {
            game = synthetic_game(rng);
        }
        positions += game.line.size() + game.branches.size();
        games.push_back(std::move(game));
    }
    if (games.empty()) return fail("the store holds no games");
    return games;
}

}  // namespace solis::lab
