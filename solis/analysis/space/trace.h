// A game as a path through the latent space.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "solis/analysis/space/games.h"
#include "solis/atlas/draw/picture.h"
#include "solis/atlas/map.h"

namespace solis::analysis {

// A move after which the win probability had changed much.
struct KeyMoment {
    std::size_t ply = 0;  // from 1
    std::string move;     // "12...Nf6"
    double before = 0;    // White's win probability
    double after = 0;
};

struct GameTrace {
    SeenGame game;
    std::size_t dims = 0;
    std::vector<float> z;                // positions x dims
    std::vector<double> p;               // White's win probability, one per position
    std::vector<KeyMoment> key_moments;  // largest change first
};

[[nodiscard]] GameTrace trace_game(SeenGame game, const SpaceModel& model, std::size_t key_moments,
                                   ThreadPool& pool);

// Where the game goes on a map of the model's space, with the key moments as marks.
[[nodiscard]] Result<atlas::MapPath> path_on_map(const GameTrace& trace, const atlas::Map& map,
                                                 ThreadPool& pool);

// The picture of the map with one panel per game, each with its path and the curve of p below.
// traces and paths: one each per game.
[[nodiscard]] atlas::MapPicture traces_picture(atlas::MapPicture map,
                                               std::span<const GameTrace> traces,
                                               std::vector<atlas::MapPath> paths);

}  // namespace solis::analysis
