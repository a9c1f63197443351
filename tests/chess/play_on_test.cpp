// The loop that plays games.
#include "solis/chess/play_on.h"

#include "solis/chess/movegen.h"
#include "tests/chess/from_fen.h"

namespace solis::chess {
namespace {

std::optional<Move> first_move(const Game& game) { return legal_moves(game.position())[0]; }

TEST(PlayOn, AGameThatIsOverIsNotTouched) {
    Game game(from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"));
    const auto end = play_on(game, [](const Game&) -> std::optional<Move> {
        ADD_FAILURE() << "nobody is to be asked";
        return std::nullopt;
    });
    EXPECT_EQ(end->reason, Termination::Checkmate);
    EXPECT_TRUE(game.moves().empty());
}

TEST(PlayOn, RepetitionsAndFiftyMovesCountAsClaimed) {
    Game shuffling;
    const Square b1 = make_square(1, 0), c3 = make_square(2, 2);
    const Square b8 = make_square(1, 7), c6 = make_square(2, 5);
    const auto shuffle = [&](const Game& game) -> std::optional<Move> {
        const bool out = game.moves().size() % 4 < 2;
        const bool white = game.position().side_to_move() == Color::White;
        const Square home = white ? b1 : b8, away = white ? c3 : c6;
        return out ? Move(home, away) : Move(away, home);
    };
    EXPECT_EQ(play_on(shuffling, shuffle)->reason, Termination::ThreefoldRepetition);
    EXPECT_EQ(shuffling.moves().size(), 8u);

    Game quiet(from_fen("7k/8/8/8/8/8/8/KR6 w - - 99 80"));
    EXPECT_EQ(play_on(quiet, first_move)->reason, Termination::FiftyMoves);
    EXPECT_EQ(quiet.moves().size(), 1u);
}

TEST(PlayOn, EitherCallerEndsTheGameWithoutAnOutcome) {
    Game refused;
    EXPECT_FALSE(play_on(refused, [](const Game& game) {
        return game.moves().size() == 3 ? std::nullopt : first_move(game);
    }));
    EXPECT_EQ(refused.moves().size(), 3u);

    Game judged;
    int asked = 0;
    EXPECT_FALSE(play_on(judged, first_move, [&](const Game&) { return ++asked < 5; }));
    EXPECT_EQ(judged.moves().size(), 5u);
}

TEST(PlayOn, TheRulesComeBeforeTheJudge) {
    Game game(from_fen("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"));
    const auto mate = [](const Game&) -> std::optional<Move> {
        return Move(make_square(4, 0), make_square(4, 7));
    };
    const auto end = play_on(game, mate, [](const Game&) {
        ADD_FAILURE() << "the game is over";
        return false;
    });
    EXPECT_EQ(end, (Outcome{Termination::Checkmate, Color::White}));
}

}  // namespace
}  // namespace solis::chess
