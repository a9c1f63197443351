// A game: the start position and the moves played, with the history that repetition needs.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solis/chess/rules.h"

namespace solis::chess {

class Game {
  public:
    explicit Game(const Position& start = Position::start());

    [[nodiscard]] const Position& start() const { return positions_.front(); }
    [[nodiscard]] const Position& position() const { return positions_.back(); }
    [[nodiscard]] std::span<const Move> moves() const { return moves_; }
    // Start to current; one more than moves().
    [[nodiscard]] std::span<const Position> positions() const { return positions_; }
    // Keys of positions(), for a search that continues the history (see count_repetitions).
    [[nodiscard]] std::span<const std::uint64_t> keys() const { return keys_; }

    // Plays a legal move. A game goes on after a draw nobody claimed, so this asks no rule.
    void push(Move move);
    // Takes the last move back; there must be one.
    void pop();

    // How often the current position has occurred, the current time included.
    [[nodiscard]] int repetitions() const;
    [[nodiscard]] std::optional<Outcome> outcome(Claims claims) const;

  private:
    std::vector<Position> positions_;
    std::vector<std::uint64_t> keys_;
    std::vector<Move> moves_;
};

}  // namespace solis::chess
