// One game between two engines, from the opening to a result that is charged to the right side.
#pragma once
#include <functional>
#include <optional>
#include <stop_token>

#include "solis/lab/match/adjudication.h"
#include "solis/lab/match/game_record.h"
#include "solis/lab/match/openings.h"
#include "solis/lab/match/seat.h"

namespace solis::lab {

using MoveWatcher = std::function<void(const chess::Position& before, const PlayedMove& move)>;

// Repetitions and fifty moves count as claimed. The side that makes a fault loses, except that
// time running out against an opponent that cannot mate is a draw. A seat whose engine is of no
// more use is dropped. `watch` hears of every move that an engine plays. None where `stop` was
// requested before the end: such a game never was.
[[nodiscard]] std::optional<GameRecord> play_game(const Opening& opening, Seat& white, Seat& black,
                                                  Adjudicator adjudicator,
                                                  const std::stop_token& stop,
                                                  const MoveWatcher& watch = {});

}  // namespace solis::lab
