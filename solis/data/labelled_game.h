// A game, or a stretch of one, whose positions carry scores; isolated positions are games of
// length zero. The unit of storage, of splitting and of every importer.
#pragma once
#include <cstdint>
#include <vector>

#include "solis/chess/game_result.h"
#include "solis/chess/position.h"
#include "solis/data/score.h"

namespace solis::data {

using chess::GameResult;

// What a store takes as one game: positions of the line, and all positions.
inline constexpr std::size_t kMaxGamePlies = 20'000;
inline constexpr std::size_t kMaxGamePositions = std::size_t{1} << 17;

// A labelled position one or two moves off the line that was not played.
struct Branch {
    chess::Move first;
    chess::Move second;  // none when the branch is one move long
    Score score;

    friend bool operator==(const Branch&, const Branch&) = default;
};

// One position of the line. `move` leads to it (none for the first); `score` may be none where
// the position was not labelled. `second_look` is a verdict at more nodes, mostly none.
struct Ply {
    chess::Move move;
    Score score;
    Score second_look;
    std::uint32_t branch_count = 0;

    friend bool operator==(const Ply&, const Ply&) = default;
};

struct LabelledGame {
    chess::Position start = chess::Position::start();
    std::vector<Ply> line;         // line[0] is the start position
    std::vector<Branch> branches;  // those of line[0] first, then those of line[1], ...
    GameResult result = GameResult::Unknown;

    friend bool operator==(const LabelledGame&, const LabelledGame&) = default;
};

}  // namespace solis::data
