// Problems with known answers: EPD with bm, am, dm or points per move, and Lichess puzzles.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solis/base/byte_source.h"
#include "solis/base/result.h"
#include "solis/chess/position.h"
#include "solis/data/game_source.h"

namespace solis::lab {

enum class ProblemKind {
    BestMove,  // play a move of `best` and none of `avoid`
    Points,    // each move is worth something
    Mate,      // announce a mate in at most `mate_in`, or being mated where that is negative
    Puzzle     // find every move of the solver's side in `line`
};

struct Problem {
    ProblemKind kind = ProblemKind::BestMove;
    std::string id;
    chess::Position position = chess::Position::start();
    std::vector<chess::Move> best;
    std::vector<chess::Move> avoid;
    std::vector<std::pair<chess::Move, int>> points;
    int mate_in = 0;                // moves; negative: the side to move is mated, however it plays
    std::vector<chess::Move> line;  // the opponent's move first
    int rating = 0;                 // 0: unknown
    std::vector<std::string> themes;

    // What a full answer is worth: 1 unless moves have points.
    [[nodiscard]] int max_points() const;
};

struct Suite {
    std::string name;
    std::vector<Problem> problems;
    data::ImportReport report;  // of rows that could not be used
};

// EPD, or puzzles where the first row is Lichess's heading or the name ends in .csv. Points are
// those of STS: c0 "Nf3=10, e4=5", or c8 "10 5" with c9 "g1f3 e2e4". A mate is dm 5, or as mate
// suites have it bm #5 (bm #-5: the side to move is mated). An EPD without any of bm, am, dm and
// points is a bad row. At most `limit` problems are read; 0 means all.
[[nodiscard]] Result<Suite> read_suite(const std::string& name, std::unique_ptr<ByteSource> source,
                                       std::uint64_t limit);

}  // namespace solis::lab
