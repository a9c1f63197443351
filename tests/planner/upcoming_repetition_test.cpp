// Tests of planner/upcoming_repetition.h.
#include "solis/planner/upcoming_repetition.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"

namespace solis::planner {
namespace {

// A position and the keys of all on the way to it.
struct Path {
    chess::Position position;
    std::vector<std::uint64_t> keys;

    Path(const std::string& fen, const std::vector<std::string>& moves)
        : position(*chess::parse_fen(fen)), keys{position.key()} {
        for (const std::string& move : moves) {
            position = position.after(*chess::parse_uci(position, move));
            keys.push_back(position.key());
        }
    }
};

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

TEST(CanRepeat, SeesTheMoveBackToAPositionSinceTheRoot) {
    const Path path(kStart, {"g1f3", "g8f6", "f3g1"});
    EXPECT_TRUE(can_repeat(path.position, path.keys, 1)) << "the knight goes back to g8";
    const Path other(kStart, {"g1f3", "g8f6", "b1c3"});
    EXPECT_FALSE(can_repeat(other.position, other.keys, 1));
}

TEST(CanRepeat, APositionBeforeTheRootMustHaveOccurredTwice) {
    const Path once(kStart, {"g1f3", "g8f6", "f3g1"});
    EXPECT_FALSE(can_repeat(once.position, once.keys, 4)) << "the whole path is the game";
    const Path twice(kStart, {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"});
    EXPECT_TRUE(can_repeat(twice.position, twice.keys, 8));
}

TEST(CanRepeat, APieceInTheWayKeepsASliderFromGoingBack) {
    // White's rook goes from a1 round the corner to d1, Black's round a square.
    const std::vector<std::string> moves{"h8h7", "a1a2", "h7g7", "a2d2", "g7g8", "d2d1", "g8h8"};
    const Path free("4k2r/8/8/8/8/5K2/8/R7 b - - 0 1", moves);
    EXPECT_TRUE(can_repeat(free.position, free.keys, 1));
    const Path blocked("4k2r/8/8/8/8/5K2/8/R1B5 b - - 0 1", moves);
    EXPECT_FALSE(can_repeat(blocked.position, blocked.keys, 1));
}

TEST(CanRepeat, NothingBeforeAPawnMoveCounts) {
    const Path path(kStart, {"g1f3", "g8f6", "a2a3", "f6g8", "f3g1"});
    EXPECT_FALSE(can_repeat(path.position, path.keys, 1));
}

TEST(CanRepeat, OnlyTheSideToMoveCanGoBack) {
    // White's king has gone to the next square by a detour: the board differs from the first by a
    // move of White's, but Black is to move.
    const Path path("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"e1d1", "e8d8", "d1d2", "d8e8", "d2e2"});
    EXPECT_FALSE(can_repeat(path.position, path.keys, 1));
}

}  // namespace
}  // namespace solis::planner
