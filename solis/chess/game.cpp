// A game and its history.
#include "solis/chess/game.h"

#include <cassert>

namespace solis::chess {

Game::Game(const Position& start) : positions_{start}, keys_{start.key()} {}

void Game::push(Move move) {
    // By value: after() must not read from a vector that is about to grow.
    const Position next = position().after(move);
    positions_.push_back(next);
    keys_.push_back(next.key());
    moves_.push_back(move);
}

void Game::pop() {
    assert(!moves_.empty());
    positions_.pop_back();
    keys_.pop_back();
    moves_.pop_back();
}

int Game::repetitions() const { return count_repetitions(keys_, position().halfmove_clock()); }

std::optional<Outcome> Game::outcome(Claims claims) const {
    return chess::outcome(position(), claims, repetitions());
}

}  // namespace solis::chess
