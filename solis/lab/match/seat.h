// One side of the board: an engine process, its clock, and what it did wrong.
#pragma once
#include <chrono>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "solis/engine/client/uci_client.h"
#include "solis/lab/match/game_record.h"
#include "solis/lab/player_spec.h"

namespace solis::lab {

struct TimeRules {
    // How much later than its time an answer may come. A clock is the engine's own business; a
    // time per move leaves it no room to allow for the way through the pipe.
    std::chrono::milliseconds clock_margin{0};
    std::chrono::milliseconds movetime_margin{100};
    // After its time an engine is told to stop. What it then says within this is a time loss;
    // silence is a hang.
    std::chrono::milliseconds hang_after{5'000};
    // For searches that only nodes or depth limit. An engine that thinks longer is told to stop and
    // loses the game on time, so that a match never waits for ever.
    std::chrono::milliseconds longest_search{600'000};
};

struct Fault {
    Ending ending;
    std::string note;
};

// What an engine did with its move: `move` is set, or `fault`, or neither where the game was
// stopped from outside.
struct Turn {
    std::optional<PlayedMove> move;
    std::optional<Fault> fault;
};

// Keeps its process from game to game until a fault costs it.
class Seat {
  public:
    Seat(PlayerSpec player, engine::EngineSpec engine, const TimeRules& rules, std::stop_token stop)
        : player_(std::move(player)),
          engine_(std::move(engine)),
          rules_(rules),
          stop_(std::move(stop)) {}

    [[nodiscard]] const std::string& name() const { return player_.name; }

    // A new game with a full clock: starts the process if there is none.
    [[nodiscard]] std::optional<Fault> prepare();
    // Asks for a move in the position after `moves`. The clock runs meanwhile.
    [[nodiscard]] Turn move(const chess::Position& start, std::span<const chess::Move> moves,
                            const chess::Position& position, const Seat& opponent);
    // Kills the process.
    void drop() { client_.reset(); }

  private:
    using Duration = engine::Clock::duration;

    [[nodiscard]] planner::Limits limits(chess::Color side, const Seat& opponent) const;
    // Time for this move by its clock or time per move, margin included; none where it has neither.
    [[nodiscard]] std::optional<Duration> allowed() const;
    [[nodiscard]] Fault late_fault(Duration allowed);
    [[nodiscard]] Fault client_fault(const Error& error) const;
    void run_clock(Duration used);

    PlayerSpec player_;
    engine::EngineSpec engine_;
    TimeRules rules_;
    std::stop_token stop_;
    std::optional<engine::UciClient> client_;
    Duration left_{};
    int moves_made_ = 0;
};

}  // namespace solis::lab
