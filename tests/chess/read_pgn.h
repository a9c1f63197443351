// Games of tests, written as PGN.
#pragma once
#include <string_view>

#include <gtest/gtest.h>

#include "solis/chess/pgn/reader.h"

namespace solis::chess {

// The first game of the text; the test fails if there is none without faults.
inline PgnGame read_one(std::string_view text) {
    const auto source = memory_source(text);
    PgnReader reader(*source);
    PgnGame game;
    const auto outcome = reader.next(game);
    EXPECT_TRUE(outcome && *outcome == PgnOutcome::Game) << text << reader.error().message;
    return game;
}

}  // namespace solis::chess
