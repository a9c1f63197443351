// Every fault is told apart and charged to the side that made it.
#include "solis/lab/match/play_game.h"

#include <thread>

#include "solis/chess/fen.h"
#include "tests/lab/match/match_helpers.h"

namespace solis::lab {
namespace {

using chess::Color;
using chess::GameResult;
using std::chrono::milliseconds;

// Patient with everybody: a busy machine must not look like a slow engine.
TimeRules patient_rules() {
    TimeRules rules;
    rules.hang_after = milliseconds(60'000);
    rules.longest_search = milliseconds(60'000);
    return rules;
}

Seat seat(const PlayerSpec& player, const TimeRules& rules, std::stop_token stop = {}) {
    return {player, *to_engine(player, {}), rules, std::move(stop)};
}

std::optional<GameRecord> play(const PlayerSpec& white, const PlayerSpec& black,
                               const Opening& opening = {},
                               const TimeRules& rules = patient_rules()) {
    Seat white_seat = seat(white, rules), black_seat = seat(black, rules);
    return play_game(opening, white_seat, black_seat, Adjudicator({}, nullptr), {});
}

Opening from_fen(const char* fen) { return {*chess::parse_fen(fen), {}}; }

TEST(PlayGame, FaultsAreToldApartAndChargedToTheirSide) {
    const struct {
        const char* mode;
        Ending ending;
        const char* note;
    } cases[] = {{"crash", Ending::Crash, "signal 9"},
                 {"exit", Ending::Crash, "exited with code 3"},
                 {"illegal", Ending::IllegalMove, "a1a1"},
                 {"no-move", Ending::Garbage, "without a move"},
                 {"long-line", Ending::Garbage, "bytes"}};
    for (const auto& c : cases) {
        const PlayerSpec bad = fake_player("bad", {c.mode, "3"}, nodes_limit());
        const PlayerSpec good = fake_player("good", {"normal"}, nodes_limit());
        for (const Color guilty : {Color::White, Color::Black}) {
            const bool white = guilty == Color::White;
            const auto game = white ? play(bad, good) : play(good, bad);
            ASSERT_TRUE(game) << c.mode;
            EXPECT_EQ(game->ending, c.ending) << c.mode << ": " << name_of(game->ending);
            EXPECT_EQ(game->at_fault, guilty) << c.mode;
            EXPECT_EQ(game->result, white ? GameResult::BlackWins : GameResult::WhiteWins);
            EXPECT_NE(game->note.find(c.note), std::string::npos) << c.mode << ": " << game->note;
            // The engine plays twice and fails the third time.
            EXPECT_EQ(game->moves.size(), white ? 4u : 5u) << c.mode;
        }
    }
}

TEST(PlayGame, LateAnswerIsATimeLossAndSilenceAHang) {
    const TimeRules rules = patient_rules();
    const PlayerSpec good = fake_player("good", {"normal"}, nodes_limit());
    const auto late = play(fake_player("slow", {"slow", "200"}, move_time(1)), good, {}, rules);
    ASSERT_TRUE(late);
    EXPECT_EQ(late->ending, Ending::TimeLoss) << late->note;
    EXPECT_EQ(late->at_fault, Color::White);

    TimeRules strict = patient_rules();
    strict.hang_after = milliseconds(50);
    for (const char* mode : {"stall", "flood"}) {
        const auto hung = play(good, fake_player("stuck", {mode}, move_time(1)), {}, strict);
        ASSERT_TRUE(hung);
        EXPECT_EQ(hung->ending, Ending::Hang) << mode << ": " << hung->note;
        EXPECT_EQ(hung->at_fault, Color::Black);
        EXPECT_EQ(hung->result, GameResult::WhiteWins);
    }
}

TEST(PlayGame, SearchWithoutATimeLimitHangsInTheEnd) {
    TimeRules rules = patient_rules();
    rules.longest_search = milliseconds(100);
    rules.hang_after = milliseconds(50);
    const PlayerSpec stuck = fake_player("stuck", {"stall"}, nodes_limit());
    const auto game = play(stuck, stuck, {}, rules);
    ASSERT_TRUE(game);
    EXPECT_EQ(game->ending, Ending::Hang);
    EXPECT_EQ(game->at_fault, Color::White);
}

TEST(PlayGame, SearchWithoutATimeLimitThatStopsWhenToldIsATimeLoss) {
    TimeRules rules = patient_rules();
    // Enough for two moves at once on a busy machine. The other side has time of its own, which
    // this rule is not for.
    rules.longest_search = milliseconds(1'000);
    const auto game = play(fake_player("good", {"normal"}, move_time(60'000)),
                           fake_player("endless", {"until-stop", "3"}, nodes_limit()), {}, rules);
    ASSERT_TRUE(game);
    EXPECT_EQ(game->ending, Ending::TimeLoss) << game->note;
    EXPECT_EQ(game->at_fault, Color::Black);
    EXPECT_EQ(game->result, GameResult::WhiteWins);
    EXPECT_EQ(game->moves.size(), 5u) << "two moves were in time";
}

TEST(PlayGame, ClockRunsOutOverSeveralMoves) {
    const TimeRules rules = patient_rules();
    ThinkLimits clock;
    clock.clock = ClockControl{milliseconds(1'000), milliseconds(0), 0};
    const auto game = play(fake_player("slow", {"slow", "300"}, clock),
                           fake_player("good", {"normal"}, nodes_limit()), {}, rules);
    ASSERT_TRUE(game);
    EXPECT_EQ(game->ending, Ending::TimeLoss) << game->note;
    EXPECT_EQ(game->at_fault, Color::White);
    EXPECT_LE(game->moves.size(), 6u) << "a second is not enough for four moves of 0.3";
}

TEST(PlayGame, TimeLossAgainstABareKingIsADraw) {
    const TimeRules rules = patient_rules();
    const auto game = play(fake_player("slow", {"slow", "200"}, move_time(1)),
                           fake_player("good", {"normal"}, nodes_limit()),
                           from_fen("7k/8/8/8/8/8/P7/K7 w - - 0 1"), rules);
    ASSERT_TRUE(game);
    EXPECT_EQ(game->ending, Ending::TimeLoss);
    EXPECT_EQ(game->result, GameResult::Draw);
    EXPECT_EQ(game->at_fault, Color::White);
}

TEST(PlayGame, SlowStartCostsNoTimeOfTheClock) {
    ThinkLimits clock;
    clock.clock = ClockControl{milliseconds(20'000), milliseconds(0), 0};
    const auto game =
        play(fake_player("late", {"slow-start", "300"}, clock),
             fake_player("good", {"normal"}, clock), from_fen("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"));
    ASSERT_TRUE(game);
    EXPECT_FALSE(is_fault(game->ending)) << game->note;
}

TEST(PlayGame, EngineThatDoesNotStartLosesWithoutAMove) {
    const auto game = play(fake_player("good", {"normal"}, nodes_limit()),
                           fake_player("dead", {"crash-at-start"}, nodes_limit()));
    ASSERT_TRUE(game);
    EXPECT_EQ(game->ending, Ending::NoStart);
    EXPECT_EQ(game->at_fault, Color::Black);
    EXPECT_EQ(game->result, GameResult::WhiteWins);
    EXPECT_TRUE(game->moves.empty());
}

TEST(PlayGame, SeatOfALostEngineStartsItAgain) {
    const PlayerSpec bad = fake_player("bad", {"crash", "3"}, nodes_limit());
    const PlayerSpec good = fake_player("good", {"normal"}, nodes_limit());
    Seat white = seat(bad, patient_rules()), black = seat(good, patient_rules());
    for (int i = 0; i < 3; ++i) {
        const auto game = play_game({}, white, black, Adjudicator({}, nullptr), {});
        ASSERT_TRUE(game);
        EXPECT_EQ(game->ending, Ending::Crash);
        EXPECT_EQ(game->moves.size(), 4u) << "two moves before each crash";
    }
}

TEST(PlayGame, OpeningMovesArePlayedAndNotSearched) {
    Opening opening;
    opening.moves = {chess::Move(chess::Square::E2, chess::Square::E4),
                     chess::Move(chess::Square::E7, chess::Square::E5)};
    const PlayerSpec player = fake_player("p", {"normal"}, nodes_limit());
    const auto game = play(player, player, opening);
    ASSERT_TRUE(game);
    EXPECT_EQ(game->book_plies, 2u);
    EXPECT_EQ(game->moves[0].move, opening.moves[0]);
    EXPECT_TRUE(game->moves[1].score.is_none());
    EXPECT_FALSE(game->moves[2].score.is_none());
    EXPECT_FALSE(is_fault(game->ending)) << game->note;
}

TEST(PlayGame, StoppedGameLeavesNoRecord) {
    std::stop_source stop;
    const PlayerSpec stuck = fake_player("stuck", {"stall"}, nodes_limit());
    TimeRules rules;  // ten minutes for a search
    Seat white = seat(stuck, rules, stop.get_token()), black = seat(stuck, rules, stop.get_token());
    std::jthread stopper([&] {
        std::this_thread::sleep_for(milliseconds(100));
        stop.request_stop();
    });
    EXPECT_FALSE(play_game({}, white, black, Adjudicator({}, nullptr), stop.get_token()));
}

}  // namespace
}  // namespace solis::lab
