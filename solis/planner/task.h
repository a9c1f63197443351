// What every plan is given: the game, the limits, the model and the observer.
#pragma once
#include <vector>

#include "solis/chess/game.h"
#include "solis/planner/plan.h"
#include "solis/planner/time/time_control.h"

namespace solis::planner {

struct Task {
    const chess::Game& game;
    const Limits& limits;
    const Settings& settings;
    const model::LoadedModel& model;
    const ValueScale& scale;
    const TimeControl& time;
    Observer& observer;
    const Signals& signals;
    // The moves to choose from: legal, among those asked for, and the best ones where tablebases
    // know the position. Not empty.
    std::vector<chess::Move> root_moves;
    // The value of the best of them, where tablebases know it.
    std::optional<Value> tablebase_value{};

    [[nodiscard]] const chess::Position& root() const { return game.position(); }
    // Whether to end at once: stopped, out of time, or without an encoder.
    [[nodiscard]] bool must_end() const {
        return signals.stopped() || time.is_over(signals) || model.has_failed();
    }
    // The same, or a limit of the work is reached.
    [[nodiscard]] bool must_end(std::uint64_t scored, std::uint64_t embedded) const {
        return limits.is_reached(scored, embedded) || must_end();
    }
};

}  // namespace solis::planner
