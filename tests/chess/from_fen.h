// Positions of tests, written as FEN.
#pragma once
#include <string_view>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"

namespace solis::chess {

// The test fails if the text is no position.
inline Position from_fen(std::string_view fen) {
    const auto position = parse_fen(fen);
    EXPECT_TRUE(position) << position.error().message;
    return position ? *position : Position::start();
}

}  // namespace solis::chess
