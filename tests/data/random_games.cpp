// Random labelled games.
#include "tests/data/random_games.h"

#include <array>

#include "solis/chess/fen.h"
#include "solis/chess/random_positions.h"

namespace solis::data {
namespace {

constexpr std::array kStarts{
    chess::kStartFen,
    std::string_view("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    std::string_view("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
    std::string_view("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 99 32000"),
    std::string_view("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
    std::string_view("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
    std::string_view("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),     // stalemate
    std::string_view("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"),  // checkmate
};

Score random_score(Rng& rng) {
    switch (rng.below(12)) {
        case 0:
            return Score();
        case 1:
            return Score::mate_in(1 + static_cast<int>(rng.below(Score::kUnknownDistance)));
        case 2:
            return Score::mated_in(static_cast<int>(rng.below(Score::kUnknownDistance + 1)));
        case 3:
            return Score::centipawns(static_cast<int>(rng.below(40001)) - 20000);
        case 4:
            return Score::centipawns(rng.chance(0.5) ? 20000 : -20000);
        default:
            return Score::centipawns(static_cast<int>(rng.below(601)) - 300);
    }
}

// None where there is no legal move.
chess::Move any_move(Rng& rng, const chess::Position& position) {
    const chess::MoveList moves = chess::legal_moves(position);
    return moves.empty() ? chess::Move() : chess::random_move(moves, rng);
}

void add_branches(Rng& rng, const chess::Position& position, LabelledGame& game) {
    const std::uint64_t wanted = rng.chance(0.9) ? rng.below(2) : rng.below(40);
    for (std::uint64_t i = 0; i < wanted; ++i) {
        Branch branch;
        branch.first = any_move(rng, position);
        if (branch.first.is_none()) return;
        if (rng.chance(0.4)) branch.second = any_move(rng, position.after(branch.first));
        branch.score = random_score(rng);
        game.branches.push_back(branch);
        ++game.line.back().branch_count;
    }
}

}  // namespace

LabelledGame random_game(Rng& rng, std::size_t max_plies) {
    LabelledGame game;
    game.start = *chess::parse_fen(kStarts[rng.below(kStarts.size())]);
    game.result = static_cast<GameResult>(rng.below(4));
    chess::Position position = game.start;
    const std::uint64_t plies = rng.below(max_plies + 1);
    game.line.push_back({});
    for (std::uint64_t i = 0;; ++i) {
        game.line.back().score = random_score(rng);
        if (rng.chance(0.05)) game.line.back().second_look = random_score(rng);
        add_branches(rng, position, game);
        const chess::Move move = any_move(rng, position);
        if (i == plies || move.is_none()) return game;
        game.line.push_back({move, {}, {}, 0});
        position = position.after(move);
    }
}

std::vector<LabelledGame> random_games(Seed seed, std::size_t count, std::size_t max_plies) {
    Rng rng(seed);
    std::vector<LabelledGame> games;
    for (std::size_t i = 0; i < count; ++i) games.push_back(random_game(rng, max_plies));
    return games;
}

}  // namespace solis::data
