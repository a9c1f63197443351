// Positions in which move rules meet: pins, double checks, en passant, promotions, Chess960.
#pragma once
#include <array>
#include <string_view>

namespace solis::chess {

inline constexpr std::array<std::string_view, 16> kAwkwardFens{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // en passant that is pinned along the rank, along the diagonal, and that answers a check
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
    "7k/8/8/8/3Pp3/8/8/B3K3 b - d3 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    // double check, and a check that only a pinned piece could answer
    "4k3/8/8/8/4r3/5n2/8/R3K2R w KQ - 0 1",
    "4r1k1/8/8/8/1b6/4R3/3N4/4K2R w K - 0 1",
    // many queens and knights for one square
    "8/7k/8/8/Q1Q5/8/8/Q1Q1K3 w - - 0 1",
    "k7/8/2N1N3/1N3N2/8/1N3N2/2N1N3/4K3 w - - 0 1",
    // Chess960: king and rook change places, rooks beside the king, the rook shields the king
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1",
    "4k3/8/8/8/8/8/8/qRK4R w HB - 0 1",
};

}  // namespace solis::chess
