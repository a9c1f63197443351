// Move generation against published node counts.
#include "chess/perft.h"

#include <gtest/gtest.h>

#include "chess/fen.h"

namespace solis::chess {
namespace {

TEST(Perft, StartPosition) { EXPECT_EQ(perft(Position::start(), 4), 197281u); }

}  // namespace
}  // namespace solis::chess
