// Analysis for people: verdicts from White's point of view, lines in SAN.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solis/chess/game.h"
#include "solis/planner/plan.h"

namespace solis::analysis {

// White's view.
struct Verdict {
    int centipawns = 0;
    std::optional<int> mate{};  // in moves; negative if Black mates. Comes before centipawns
    double win_probability = 0.5;

    // "+0.31", "#-4".
    [[nodiscard]] std::string text() const;
};

struct AnalysedLine {
    Verdict verdict;
    std::vector<chess::Move> moves;
};

struct Analysis {
    std::vector<AnalysedLine> lines;  // best first; empty where the game is over
    int depth = 0;
    std::uint64_t nodes = 0;
    std::int64_t milliseconds = 0;
    bool stopped = false;  // from outside, before the limits were reached
};

// What a value of the side `mover` says, White's view.
[[nodiscard]] Verdict verdict_of(const planner::ValueScale& scale, planner::Value value,
                                 chess::Color mover);
// The lines of a plan of `mover`'s move.
[[nodiscard]] Analysis analysis_of(const planner::Plan& plan, const planner::ValueScale& scale,
                                   chess::Color mover);

class Analyst {
  public:
    // Limits hold for each position. `stop_requested` is asked many times a second by the thread
    // that called analyse(); true ends the analysis with what it has found so far.
    Analyst(planner::Planner planner, planner::Limits limits,
            std::function<bool()> stop_requested = {})
        : planner_(std::move(planner)),
          limits_(std::move(limits)),
          stop_requested_(std::move(stop_requested)) {}

    [[nodiscard]] Analysis analyse(const chess::Game& game);
    // Whether the model's encoder works: what was found means nothing otherwise.
    [[nodiscard]] Result<void> status() const { return planner_.model().status(); }
    // Before a game that has nothing to do with the last.
    void new_game() { planner_.clear_hash(); }

  private:
    // Plans on a thread of its own while this one asks whether to stop.
    [[nodiscard]] planner::Plan plan_until_stopped(const chess::Game& game, bool& stopped);

    planner::Planner planner_;
    planner::Limits limits_;
    std::function<bool()> stop_requested_;  // may be empty
};

// "12. Nf3 Nc6 13. O-O", or "12... Nc6 13. O-O" where Black begins.
[[nodiscard]] std::string san_line(chess::Position position, const std::vector<chess::Move>& moves);

}  // namespace solis::analysis
