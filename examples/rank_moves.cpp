// Ranks the legal moves of a position by the win probability after each: one batch, no search.
// Usage: rank_moves [FEN]
#include <algorithm>
#include <cstdio>
#include <vector>

#include <solis/solis.h>

int main(int argc, char** argv) {
    const auto position = solis::chess::parse_fen(
        argc > 1 ? argv[1] : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    if (!position) {
        std::fprintf(stderr, "error: %s\n", position.error().message.c_str());
        return 2;
    }
    const auto model = solis::model::open("");  // the empty path is the model inside the library
    if (!model) {
        std::fprintf(stderr, "error: %s\n", model.error().message.c_str());
        return 1;
    }

    const solis::chess::MoveList moves = solis::chess::legal_moves(*position);
    std::vector<solis::chess::Position> children;
    for (const solis::chess::Move move : moves) children.push_back(position->after(move));
    std::vector<float> scores(children.size());
    (*model)->make_evaluator()->score_children(*position, children, scores);

    struct Ranked {
        solis::chess::Move move;
        double p;  // of the side that moves
    };
    std::vector<Ranked> ranked;
    const bool white = position->side_to_move() == solis::chess::Color::White;
    for (std::size_t i = 0; i < children.size(); ++i) {
        const double p = (*model)->win_probability(scores[i], children[i]);
        ranked.push_back({moves[i], white ? p : 1 - p});
    }
    std::ranges::sort(ranked, std::ranges::greater{}, &Ranked::p);
    for (const Ranked& each : ranked) {
        std::printf("%-7s %5.1f %%\n", to_san(*position, each.move).c_str(), 100 * each.p);
    }
}
