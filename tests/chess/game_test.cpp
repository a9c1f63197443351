// Games: history, repetition, and how the drawn games of the paper really ended.
#include "solis/chess/game.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/san.h"
#include "solis/chess/uci_move.h"
#include "tests/chess/from_fen.h"

namespace solis::chess {
namespace {

// Games C and I of the paper.
constexpr std::string_view kGameC =
    "e3 Nf6 Nc3 d5 Nf3 c5 d4 e6 g3 a6 a4 Nc6 Ne2 Bd6 Bg2 O-O h3 Re8 c3 Qc7 Nd2 e5 Nb3 c4 dxe5 "
    "Nxe5 Nbd4 Nd3+ Kf1 Nc5 Bf3 Bd7 Kg2 Be5 a5 Rad8 Qc2 g6 Bd2 h5 Be1 h4 gxh4 Kg7 Ng3 Rh8 h5 "
    "Rdg8 hxg6 fxg6 Be2 Qd6 Qd1 Qe7 f3 Bd6 Nf1 Rh5 h4 Rgh8 Bf2 R5h7 Qe1 Bb8 Bg3 Ba7 Bf2 Nh5 "
    "Ng3 Bb8 f4 Nf6 h5 Rh6 hxg6 Rxh1 Qxh1 Qe8 Ndf5+ Bxf5 Nxf5+ Kxg6 Ne7+ Kf7 e4 Rxh1 Rxh1 "
    "Qxe7 Bxc5 Qxe4+ Bf3 Qg6+ Kf1 Bxf4 b4 cxb3 Rh8 Ke6 Rf8 b2 Rxf6+ Kxf6 Bxd5 b1=R+ Ke2 Rb2+ "
    "Kf3 Be5 Bc4 Qh5+ Ke3 Qh3+ Ke4 Qh7+ Kf3 Qh3+ Ke4 Qh7+ Kf3 Qh3+ Ke4 Qh7+ Kf3 Qh3+ Ke4 Qh7+ "
    "Kf3 Qh3+ Ke4 ";
constexpr std::string_view kGameI =
    "d4 d5 e3 c6 c4 e6 Nf3 Nf6 Be2 c5 O-O Nc6 b3 a6 Bb2 Be7 a3 cxd4 exd4 O-O c5 b6 b4 bxc5 "
    "dxc5 Bb7 Nbd2 a5 b5 Bxc5 Rc1 Qb6 bxc6 Ng4 Rxc5 Ba6 Rc2 Nxf2 Rxf2 Bxe2 Qxe2 a4 c7 Rac8 "
    "Bd4 Qb5 Qxb5 Rfe8 Qb8 h6 Ne5 g5 h4 Rf8 Ne4 dxe4 Rxf7 Rxb8 Rxf8+ Rxf8 hxg5 Rc8 gxh6 e3 "
    "Bxe3 Kh7 Rc4 Kg8 Kh2 Kh7 g4 Rg8 g5 Ra8 Rg4 Kh8 Ba7 Rf8 Bb8 Rf2+ Kg1 Rc2 Rc4 Rb2 Ba7 Rb1+ "
    "Kg2 Kh7 Bf2 Rb2 g6+ Kxh6 Kh2 Rxf2+ Kg3 Rg2+ Kxg2 Kg7 Rc1 Kf6 Kh2 Kg7 Nd7 e5 Nf6 Kxf6 Rg1 "
    "Kg7 Rf1 Kh6 Rg1 Kg7 Rf1 Kxg6 Rc1 Kg7 Rc4 Kf7 Kg2 Ke7 Kf2 Kd6 Ke1 Kd5 Rc1 Ke4 Ke2 Kd4 Rc2 "
    "e4 Rc1 Kd5 Ke1 Ke5 Rc4 Kd5 Rc2 Kd6 Rc1 Ke7 Rc4 Kf7 Rc5 e3 Kf1 Ke7 Rc4 Kf7 Kg2 e2 Kf2 Ke7 "
    "Ke1 Kf7 Rc5 Kg7 Rc2 Kf6 Rc4 Kf7 Rc5 Kg6 Kd2 Kf7 Ke1 Ke7 Rc4 Kf7 Rc5 Kg6 Rc4 Kf7 Rc5 ";

void play_san(Game& game, std::string_view text) {
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        const auto move = parse_san(game.position(), word);
        ASSERT_TRUE(move) << move.error().message;
        game.push(*move);
    }
}

// Plies after which outcome() first has an end, and its reason.
struct FirstEnd {
    std::size_t plies;
    Termination reason;

    friend bool operator==(const FirstEnd&, const FirstEnd&) = default;
};

std::optional<FirstEnd> first_end(const Game& played, Claims claims) {
    Game game(played.start());
    for (const Move move : played.moves()) {
        game.push(move);
        if (const auto end = game.outcome(claims)) {
            return FirstEnd{game.moves().size(), end->reason};
        }
    }
    return std::nullopt;
}

TEST(Game, PushAndPopKeepPositionKeysAndMovesTogether) {
    Game game;
    play_san(game, "e4 e5 Nf3");
    EXPECT_EQ(game.moves().size(), 3u);
    EXPECT_EQ(game.positions().size(), 4u);
    EXPECT_EQ(game.keys().back(), game.position().key());
    game.pop();
    game.pop();
    game.pop();
    EXPECT_EQ(game.position(), Position::start());
    EXPECT_EQ(game.keys().size(), 1u);
}

TEST(Game, ThreefoldIsAClaimAndFivefoldEndsTheGame) {
    Game game;
    for (int times = 2; times <= 5; ++times) {
        play_san(game, "Nf3 Nf6 Ng1 Ng8");
        EXPECT_EQ(game.repetitions(), times);
        const auto claimed = game.outcome(Claims::Counted);
        EXPECT_EQ(claimed.has_value(), times >= 3);
        EXPECT_EQ(game.outcome(Claims::Ignored).has_value(), times >= 5);
    }
    EXPECT_EQ(game.outcome(Claims::Counted)->reason, Termination::FivefoldRepetition);
    game.pop();
    EXPECT_EQ(game.outcome(Claims::Counted)->reason, Termination::ThreefoldRepetition);
}

TEST(Game, LosingARightMakesANewPosition) {
    Game game(from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    // The first time White could still castle.
    play_san(game, "Rg1 Ke7 Rh1 Ke8");
    EXPECT_EQ(game.repetitions(), 1);
    play_san(game, "Rg1 Ke7 Rh1 Ke8");
    EXPECT_EQ(game.repetitions(), 2);
}

TEST(Game, AnEnPassantRightMakesANewPositionOnlyIfItCouldBeUsed) {
    Game usable(from_fen("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"));
    play_san(usable, "d5 Kd1 Kd8 Ke1 Ke8");
    EXPECT_EQ(usable.repetitions(), 1);
    Game unusable(from_fen("4k3/3p4/8/8/4P3/8/8/4K3 b - - 0 1"));
    play_san(unusable, "d5 Kd1 Kd8 Ke1 Ke8");
    EXPECT_EQ(unusable.repetitions(), 2);
}

TEST(Game, RepetitionsBeforeAPawnMoveNoLongerCount) {
    Game game;
    play_san(game, "Nf3 Nf6 Ng1 Ng8 e4 e5 Nf3 Nf6 Ng1 Ng8");
    EXPECT_EQ(game.repetitions(), 2);
}

TEST(Game, AClockFromAFenThatIsLongerThanTheGameIsHarmless) {
    Game game(from_fen("4k3/8/8/8/8/8/8/4K2R w - - 98 90"));
    EXPECT_EQ(game.repetitions(), 1);
    play_san(game, "Rg1 Ke7");
    EXPECT_EQ(game.outcome(Claims::Counted)->reason, Termination::FiftyMoves);
    EXPECT_EQ(game.outcome(Claims::Ignored), std::nullopt);
}

TEST(Game, MateOnTheHundredAndFiftiethPlyWins) {
    Game game(from_fen("7k/8/5KQ1/8/8/8/8/8 w - - 149 120"));
    play_san(game, "Qg7#");
    EXPECT_EQ(game.position().halfmove_clock(), 150);
    EXPECT_EQ(game.outcome(Claims::Ignored), (Outcome{Termination::Checkmate, Color::White}));
}

// The fifth time on the very last ply, so nobody claimed: the third was after 61. Ke4.
TEST(Game, GameCOfThePaperEndedByFivefoldRepetition) {
    Game game;
    play_san(game, kGameC);
    EXPECT_EQ(first_end(game, Claims::Ignored),
              (FirstEnd{game.moves().size(), Termination::FivefoldRepetition}));
    EXPECT_EQ(first_end(game, Claims::Counted), (FirstEnd{121, Termination::ThreefoldRepetition}));
}

// Likewise; a draw could have been claimed after 83. Ke1.
TEST(Game, GameIOfThePaperEndedByFivefoldRepetition) {
    Game game;
    play_san(game, kGameI);
    EXPECT_EQ(first_end(game, Claims::Ignored),
              (FirstEnd{game.moves().size(), Termination::FivefoldRepetition}));
    EXPECT_EQ(first_end(game, Claims::Counted), (FirstEnd{165, Termination::ThreefoldRepetition}));
}

}  // namespace
}  // namespace solis::chess
