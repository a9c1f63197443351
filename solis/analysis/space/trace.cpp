// Embedding games and finding where they turned.
#include "solis/analysis/space/trace.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace solis::analysis {
namespace {

std::vector<KeyMoment> largest_changes(const SeenGame& game, std::span<const double> p,
                                       std::size_t most) {
    std::vector<std::size_t> plies;
    for (std::size_t i = 1; i < p.size(); ++i) plies.push_back(i);
    std::ranges::stable_sort(plies, [&](std::size_t a, std::size_t b) {
        return std::abs(p[a] - p[a - 1]) > std::abs(p[b] - p[b - 1]);
    });
    std::vector<KeyMoment> moments;
    for (std::size_t i = 0; i < std::min(most, plies.size()); ++i) {
        const std::size_t ply = plies[i];
        moments.push_back({ply, move_text(game, ply), p[ply - 1], p[ply]});
    }
    return moments;
}

std::string result_words(chess::GameResult result) {
    switch (result) {
        case chess::GameResult::WhiteWins:
            return "White wins";
        case chess::GameResult::Draw:
            return "Draw";
        case chess::GameResult::BlackWins:
            return "Black wins";
        case chess::GameResult::Unknown:
            break;
    }
    return "Unfinished";
}

}  // namespace

GameTrace trace_game(SeenGame game, const SpaceModel& model, std::size_t key_moments,
                     ThreadPool& pool) {
    GameTrace trace;
    trace.dims = model.dims();
    trace.z = model.embed(game.positions, pool);
    trace.p = model.win_probabilities(trace.z, game.positions, pool);
    trace.key_moments = largest_changes(game, trace.p, key_moments);
    trace.game = std::move(game);
    return trace;
}

Result<atlas::MapPath> path_on_map(const GameTrace& trace, const atlas::Map& map,
                                   ThreadPool& pool) {
    auto places = map.place_all({trace.z, trace.dims}, pool);
    if (!places) return tl::unexpected(places.error());
    atlas::MapPath path;
    path.places = std::move(*places);
    path.values = trace.p;
    for (const KeyMoment& moment : trace.key_moments) {
        path.marks.push_back({moment.ply, moment.move});
    }
    path.numbered_every = 10;
    return path;
}

atlas::MapPicture traces_picture(atlas::MapPicture map, std::span<const GameTrace> traces,
                                 std::vector<atlas::MapPath> paths) {
    map.title = traces.size() == 1 ? "A game as a path through the latent space"
                                   : "Games as paths through the latent space";
    map.panels.clear();
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const SeenGame& game = traces[i].game;
        map.panels.push_back({result_words(game.result),
                              fmt::format("{}{}{} plies", game.name, game.name.empty() ? "" : ", ",
                                          game.moves.size()),
                              std::move(paths[i])});
    }
    if (traces.size() > 1) {
        map.panel_width = 480;
        map.panel_height = atlas::fitting_height(map.cloud.places, map.panel_width, 460);
    }
    return map;
}

}  // namespace solis::analysis
