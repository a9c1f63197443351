// A teacher inside the program: the net of Stockfish 15.1 behind quiescence. Its verdicts are
// labels; the plain value of the net is none, because most positions of a plan are not quiet.
#pragma once
#include <cstdint>
#include <vector>

#include "solis/chess/movegen.h"
#include "solis/chess/position.h"
#include "solis/data/score.h"
#include "solis/model/nnue/follower.h"

namespace solis::model {

struct TeacherVerdict {
    data::Score score;  // of the side to move
    chess::Move best;   // none where standing pat is best
};

enum class TeacherDepth : std::uint8_t {
    Quiescence,  // captures and answers to checks, 6 nodes on average
    OnePly       // all moves, each with quiescence behind it, 40 nodes
};

// Not thread-safe: each thread has its own. The net must outlive it. Verdicts depend on the
// position only, not on what was asked before.
class TeacherSearch {
  public:
    TeacherSearch(const nn::NnueNet& net, TeacherDepth depth);

    // The game must not be over.
    [[nodiscard]] TeacherVerdict judge(const chess::Position& position);
    // Positions looked at so far.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    // Derives the sums of `ply` from the last ones before it.
    [[nodiscard]] int evaluate(const chess::Position& position, std::size_t ply);
    [[nodiscard]] int value_of(const chess::Position& position, std::size_t ply) const;
    // The better of `floor` and the best move, which is kept where it is better.
    [[nodiscard]] int best_of(const chess::Position& position, const chess::MoveList& moves,
                              int floor, chess::Move& best_move);
    [[nodiscard]] int quiesce(const chess::Position& position, int alpha, int beta,
                              std::size_t ply);
    [[nodiscard]] int answer_check(const chess::Position& position, int alpha, int beta,
                                   std::size_t ply);

    TeacherDepth depth_;
    NnueFollower follower_;
    std::vector<NnueState> states_;     // by ply
    std::vector<std::size_t> nearest_;  // by ply: the last ply up to it with sums
    std::uint64_t nodes_ = 0;
};

}  // namespace solis::model
