// Follows the first game of a PGN file through the latent space: win probability and step length of
// each move, and the moments at which the game turned.
// Usage: trace_pgn GAME.pgn [MAP]     with a map of `solis map`, the place of every position on it
#include <cmath>
#include <cstdio>
#include <optional>

#include <solis/solis.h>

namespace {

int complain(const solis::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.message.c_str());
    if (!error.hint.empty()) std::fprintf(stderr, "hint:  %s\n", error.hint.c_str());
    return 1;
}

// Angle between two rows of unit vectors, in degrees.
double angle(const solis::analysis::GameTrace& trace, std::size_t a, std::size_t b) {
    double product = 0;
    for (std::size_t i = 0; i < trace.dims; ++i) {
        product += static_cast<double>(trace.z[a * trace.dims + i]) *
                   static_cast<double>(trace.z[b * trace.dims + i]);
    }
    return std::acos(std::fmin(1, product)) * 180 / 3.141592653589793;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: trace_pgn GAME.pgn [MAP]\n");
        return 2;
    }
    const auto source = solis::open_input(argv[1]);
    if (!source) return complain(source.error());
    solis::chess::PgnReader reader(**source);
    solis::chess::PgnGame pgn;
    const auto outcome = reader.next(pgn);
    if (!outcome) return complain(outcome.error());
    if (*outcome == solis::chess::PgnOutcome::Broken) return complain(reader.error());
    if (*outcome == solis::chess::PgnOutcome::End) return complain({"there is no game in it", {}});

    const auto model = solis::analysis::SpaceModel::open("");
    if (!model) return complain(model.error());
    solis::ThreadPool pool(1);
    const auto trace =
        solis::analysis::trace_game(solis::analysis::seen_game(pgn), *model, 3, pool);

    std::vector<solis::atlas::Place> places;
    if (argc > 2) {
        auto data = solis::atlas::load_map(argv[2]);
        if (!data) return complain(data.error());
        if (auto same = check_space(*data, model->hash()); !same) return complain(same.error());
        const solis::atlas::Map map(std::move(*data), pool);
        auto placed = map.place_all({trace.z, trace.dims}, pool);
        if (!placed) return complain(placed.error());
        places = std::move(*placed);
    }
    for (std::size_t ply = 1; ply < trace.p.size(); ++ply) {
        std::printf("%-12s %5.1f %%  %5.1f deg", move_text(trace.game, ply).c_str(),
                    100 * trace.p[ply], angle(trace, ply - 1, ply));
        if (!places.empty()) {
            std::printf("  at %.2f %.2f", static_cast<double>(places[ply].x),
                        static_cast<double>(places[ply].y));
        }
        std::printf("\n");
    }
    for (const auto& moment : trace.key_moments) {
        std::printf("turn: %s, %.0f %% to %.0f %%\n", moment.move.c_str(), 100 * moment.before,
                    100 * moment.after);
    }
}
