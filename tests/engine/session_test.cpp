// Dialogues with the engine.
#include "solis/engine/uci/session.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "tests/base/temporary_folder.h"
#include "tests/engine/session_fixture.h"

namespace solis::engine {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* kMateInTwo = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
constexpr const char* kMated = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1";
constexpr const char* kStalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

std::string fen(const char* text) { return std::string("position fen ") + text + "\n"; }

bool mentions(const Lines& lines, std::string_view text) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.find(text) != std::string::npos;
    });
}

// The last info line of the first line of play.
SearchInfo last_info(const Lines& lines) {
    SearchInfo last;
    for (const std::string& line : lines) {
        if (const auto info = parse_info(line); info && info->score && info->multipv == 1) {
            last = *info;
        }
    }
    return last;
}

std::string best_move(const Lines& lines) {
    return lines.empty() || !parse_bestmove(lines.back())
               ? "no bestmove"
               : std::string(parse_bestmove(lines.back())->move);
}

// Plays the moves; false where one is not legal.
bool play(chess::Position& position, std::string_view moves) {
    for (std::string_view word = next_word(moves); !word.empty(); word = next_word(moves)) {
        const auto move = chess::parse_uci(position, word);
        if (!move) return false;
        position = position.after(*move);
    }
    return true;
}

TEST(Session, IntroducesItself) {
    InlineSession engine;
    const Lines lines = engine.say("uci");
    EXPECT_EQ(lines.front(), "id name SOLIS");
    EXPECT_EQ(lines.back(), "uciok");
    EXPECT_EQ(count_starting(lines, "option name "), option_table().size());
}

TEST(Session, IsReadyIsAnsweredOnce) {
    InlineSession engine;
    EXPECT_EQ(engine.say("isready"), Lines{"readyok"});
}

TEST(Session, WhiteSpaceAndLineEndsDoNotMatter) {
    InlineSession engine;
    EXPECT_EQ(engine.say("  isready\r"), Lines{"readyok"});
    EXPECT_EQ(engine.say("\t\r\n# a comment\n\n"), Lines{});
}

TEST(Session, UnknownCommandsAreToldAndHarmless) {
    InlineSession engine;
    const Lines lines = engine.say("\x01\x02 go away");
    ASSERT_EQ(count_starting(lines, "info string error: unknown command '?"), 1u);
}

TEST(Session, EveryGoHasOneBestmoveAfterAScore) {
    InlineSession engine;
    for (const char* limits :
         {"depth 1", "depth 2", "nodes 1", "nodes 100", "movetime 1", "wtime 100", "btime 1",
          "wtime 0 btime 0", "mate 1", "depth 0", "wtime 10 btime 10 winc 5 binc 5 movestogo 1",
          "depth 1 nodes 1 movetime 1 wtime 1 btime 1 mate 1", ""}) {
        const Lines lines = engine.say(std::string("go ") + limits);
        EXPECT_EQ(count_starting(lines, "bestmove "), 1u) << limits;
        EXPECT_TRUE(last_info(lines).score) << limits;
        EXPECT_TRUE(chess::parse_uci(chess::Position::start(), best_move(lines))) << limits;
        EXPECT_TRUE(last_info(lines).pv.starts_with(best_move(lines))) << limits;
    }
}

TEST(Session, InfiniteAnswersOnlyWhenStopped) {
    InlineSession engine;
    for (const char* position : {chess::kStartFen.data(), kMateInTwo, kMated, kStalemate}) {
        const Lines before = engine.say(fen(position) + "go infinite");
        EXPECT_EQ(count_starting(before, "bestmove"), 0u) << position;
        EXPECT_EQ(engine.say("isready"), Lines{"readyok"});
        EXPECT_EQ(count_starting(engine.say("ponderhit"), "bestmove"), 0u) << position;
        EXPECT_EQ(count_starting(engine.say("stop"), "bestmove"), 1u) << position;
    }
}

TEST(Session, PonderAnswersOnlyAfterHitOrStop) {
    InlineSession engine;
    for (const char* end : {"ponderhit", "stop"}) {
        const Lines before =
            engine.say("position startpos moves e2e4\ngo ponder wtime 100 btime 100");
        EXPECT_EQ(count_starting(before, "bestmove"), 0u);
        EXPECT_EQ(count_starting(engine.say(end), "bestmove"), 1u) << end;
        EXPECT_EQ(engine.say(end), Lines{}) << end;
    }
}

TEST(Session, StopWithoutSearchSaysNothing) {
    InlineSession engine;
    EXPECT_EQ(engine.say("stop\nponderhit\nstop"), Lines{});
}

TEST(Session, CommandsDuringASearchWaitForItsEnd) {
    InlineSession engine;
    EXPECT_EQ(count_starting(engine.say("go infinite\nsetoption name Hash value 7\n"
                                        "position startpos moves e2e4\ngo depth 1"),
                             "bestmove"),
              0u);
    EXPECT_NE(engine.session().options().hash, 7);
    EXPECT_TRUE(engine.session().game().moves().empty());
    const Lines lines = engine.say("stop");
    EXPECT_EQ(count_starting(lines, "bestmove"), 2u);
    EXPECT_EQ(engine.session().options().hash, 7);
    EXPECT_EQ(engine.session().game().moves().size(), 1u);
}

TEST(Session, StopEndsEverySearchAskedForBefore) {
    InlineSession engine;
    EXPECT_EQ(count_starting(engine.say("go infinite\ngo infinite\ngo infinite"), "bestmove"), 0u);
    EXPECT_EQ(count_starting(engine.say("stop"), "bestmove"), 3u);
    EXPECT_FALSE(engine.session().is_busy());
}

TEST(Session, StopDoesNotEndSearchesAskedForLater) {
    InlineSession engine;
    engine.say("go ponder\ngo infinite\nstop");
    EXPECT_FALSE(engine.session().is_busy());
    engine.say("go infinite\ngo infinite");
    EXPECT_TRUE(engine.session().is_busy());
    EXPECT_EQ(count_starting(engine.say("stop"), "bestmove"), 2u);
}

TEST(Session, FinishedGamesHaveNoBestMove) {
    InlineSession engine;
    const Lines mated = engine.say(fen(kMated) + "go depth 3");
    EXPECT_EQ(mated, (Lines{"info depth 0 score mate 0", "bestmove (none)"}));
    const Lines stalemate = engine.say(fen(kStalemate) + "go depth 3");
    EXPECT_EQ(stalemate, (Lines{"info depth 0 score cp 0", "bestmove (none)"}));
}

TEST(Session, MatePvEndsInMateAfterTheMovesItPromises) {
    InlineSession engine(2'000'000);
    const std::pair<const char*, int> cases[] = {{"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1},
                                                 {"7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2},
                                                 {"k3r3/8/8/8/8/8/5PPP/6K1 b - - 0 1", 1}};
    for (const auto& [text, moves] : cases) {
        for (const auto& [plan, depth] : {std::pair("deep", 10), std::pair("paper", 5)}) {
            engine.say(std::string("ucinewgame\nsetoption name Width value 256\n"
                                   "setoption name Plan value ") +
                       plan);
            const Lines lines = engine.say(fen(text) + fmt::format("go depth {}", depth));
            const SearchInfo info = last_info(lines);
            EXPECT_EQ(info.score, (UciScore{true, moves, ScoreBound::Exact})) << plan << text;
            chess::Position position = *chess::parse_fen(text);
            EXPECT_EQ(std::count(info.pv.begin(), info.pv.end(), ' ') + 1, 2 * moves - 1)
                << plan << info.pv;
            ASSERT_TRUE(play(position, info.pv)) << info.pv;
            EXPECT_TRUE(position.in_check() && !chess::has_legal_move(position)) << info.pv;
        }
    }
}

TEST(Session, SearchMovesAreTheOnlyOnesConsidered) {
    InlineSession engine;
    for (const char* move : {"a2a3", "h2h4", "b1a3"}) {
        const Lines lines = engine.say(std::string("go depth 2 searchmoves ") + move);
        EXPECT_EQ(best_move(lines), move);
    }
    EXPECT_TRUE(chess::parse_uci(chess::Position::start(),
                                 best_move(engine.say("go depth 1 searchmoves e2e5"))));
}

TEST(Session, MultiPvGivesAsManyDifferentLines) {
    InlineSession engine(5000);
    const Lines lines =
        engine.say("setoption name Width value 256\nsetoption name MultiPV value 4\ngo depth 2");
    std::vector<std::string> first(5);
    for (const std::string& line : lines) {
        const auto info = parse_info(line);
        if (!info || info->pv.empty()) continue;
        ASSERT_LE(info->multipv, 4);
        std::string_view pv = info->pv;
        first[static_cast<std::size_t>(info->multipv)] = next_word(pv);
    }
    for (std::size_t i = 1; i <= 4; ++i) {
        EXPECT_FALSE(first[i].empty()) << i;
        for (std::size_t j = 1; j < i; ++j) EXPECT_NE(first[i], first[j]);
    }
    EXPECT_EQ(first[1], best_move(lines));
}

TEST(Session, MultiPvBeyondTheMovesGivesAllMoves) {
    InlineSession engine;
    const Lines lines = engine.say(fen("7k/8/8/8/8/8/r7/7K w - - 0 1") +
                                   "setoption name MultiPV value 100\ngo depth 2");
    EXPECT_TRUE(mentions(lines, "multipv 1 "));
    EXPECT_FALSE(mentions(lines, "multipv 4 "));
    EXPECT_EQ(count_starting(lines, "bestmove"), 1u);
}

TEST(Session, WdlIsShownWhenAskedForAndSumsToOneThousand) {
    InlineSession engine;
    EXPECT_FALSE(mentions(engine.say("go depth 1"), " wdl "));
    const Lines lines = engine.say("setoption name UCI_ShowWDL value true\ngo depth 1");
    bool seen = false;
    for (const std::string& line : lines) {
        const std::size_t at = line.find(" wdl ");
        if (at == std::string::npos) continue;
        std::string_view rest = std::string_view(line).substr(at + 5);
        int sum = 0;
        for (int i = 0; i < 3; ++i) {
            int part = -1;
            ASSERT_TRUE(read_number(next_word(rest), part)) << line;
            ASSERT_GE(part, 0);
            sum += part;
        }
        EXPECT_EQ(sum, 1000) << line;
        seen = true;
    }
    EXPECT_TRUE(seen);
}

TEST(Session, CastlingIsWrittenAsTheClientWantsIt) {
    InlineSession engine;
    const std::string castle =
        fen("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1") + "go depth 1 searchmoves e1g1";
    EXPECT_EQ(best_move(engine.say(castle)), "e1g1");
    EXPECT_EQ(best_move(engine.say("setoption name UCI_Chess960 value true\n" + castle)), "e1h1");
    const Lines lines =
        engine.say("position fen rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1 moves b1e1\nd");
    EXPECT_TRUE(mentions(lines, "PPPPPPPP/R4RK1 b")) << lines.back();
}

TEST(Session, BadPositionsLeaveTheOldOne) {
    InlineSession engine;
    engine.say("position startpos moves e2e4");
    for (const char* bad : {"position startpos moves e2e5", "position fen 8/8 w", "position",
                            "position fen", "position startpos moves e2e4 e7e5 e1e3"}) {
        const Lines lines = engine.say(bad);
        EXPECT_EQ(count_starting(lines, "info string error: position"), 1u) << bad;
        EXPECT_EQ(engine.session().game().moves().size(), 1u) << bad;
    }
}

TEST(Session, BadOptionsAreTold) {
    InlineSession engine;
    for (const char* bad : {"setoption", "setoption name Hash value 0", "setoption name No value 1",
                            "setoption name WeightsFile value /no/such/file",
                            "setoption name SyzygyPath value /no/such/folder",
                            "setoption name BookFile value /no/such/file",
                            "setoption name Debug Log File value /no/such/folder/log"}) {
        EXPECT_GE(count_starting(engine.say(bad), "info string error: "), 1u) << bad;
        EXPECT_EQ(count_starting(engine.say("go depth 1"), "bestmove "), 1u) << bad;
    }
}

TEST(Session, VerboseMoveStatsCoverEveryMoveInLc0sFormat) {
    InlineSession engine;
    const Lines lines = engine.say(
        "setoption name Width value 256\nsetoption name VerboseMoveStats value true\ngo depth 1");
    std::size_t moves = 0;
    for (const std::string& line : lines) {
        if (!line.starts_with("info string ") || line.find(" N: ") == std::string::npos) continue;
        for (const char* part : {"(P: ", "(WL: ", "(D: ", "(Q: ", "(V: "}) {
            EXPECT_NE(line.find(part), std::string::npos) << line;
        }
        std::string_view rest = std::string_view(line).substr(12);
        const std::string_view name = next_word(rest);
        if (name == "node") continue;
        EXPECT_TRUE(chess::parse_uci(chess::Position::start(), name)) << line;
        ++moves;
    }
    EXPECT_EQ(moves, 20u);
}

TEST(Session, TellsItsCompiler) {
    InlineSession engine;
    EXPECT_TRUE(mentions(engine.say("compiler"), "Compiled by "));
}

TEST(Session, PerftCountsAndDivides) {
    InlineSession engine;
    const Lines lines = engine.say("go perft 3");
    EXPECT_TRUE(mentions(lines, "Nodes searched: 8902"));
    EXPECT_TRUE(mentions(lines, "e2e4: 600"));
}

TEST(Session, EvalShowsContributionsAndMarksImpossibleRemovals) {
    InlineSession engine;
    const Lines lines = engine.say(fen("4k3/8/8/8/4r3/8/4B3/4K3 b - - 0 1") + "eval");
    EXPECT_TRUE(mentions(lines, "Projection "));
    EXPECT_TRUE(mentions(lines, "Win probability "));
    EXPECT_TRUE(mentions(lines, "Axis distance "));
    // Without the bishop White would stand in check with Black to move.
    EXPECT_TRUE(mentions(lines, " -- "));
    EXPECT_FALSE(mentions(lines, "Endings encoder"));
    const Lines ending = engine.say(fen("8/8/8/3k4/8/8/8/KR6 w - - 0 1") + "eval");
    EXPECT_TRUE(mentions(ending, "Endings encoder    +0."));
    EXPECT_TRUE(mentions(ending, "Win probability    9"));
    EXPECT_TRUE(mentions(engine.say(fen(kMated) + "eval"), "the game is over"));
}

TEST(Session, NewGameMakesSearchesRepeatable) {
    InlineSession engine(3000);
    const auto run = [&] {
        const Lines lines = engine.say("ucinewgame\nposition startpos\ngo depth 4");
        return std::pair(last_info(lines).nodes, best_move(lines));
    };
    EXPECT_EQ(run(), run());
}

TEST(Session, QuitAndTheEndOfInputAnswerWhatIsOwed) {
    InlineSession engine;
    EXPECT_EQ(count_starting(engine.say("go infinite\nquit\nisready"), "bestmove"), 1u);
    EXPECT_FALSE(engine.running());
}

TEST(Session, ALogThatIsAPipeIsRefused) {
    const TemporaryFolder folder;
    const auto path = folder / "pipe";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    InlineSession engine;
    // Nobody reads the pipe: opening it for writing would wait for ever.
    const Lines answer =
        engine.say("setoption name Debug Log File value " + path.string() + "\nisready\n");
    EXPECT_TRUE(mentions(answer, "it is a pipe"));
    EXPECT_TRUE(mentions(answer, "readyok"));
}

TEST(Session, LogHoldsBothSides) {
    const TemporaryFolder folder;
    const auto path = folder / "session.log";
    InlineSession engine;
    engine.say("setoption name Debug Log File value " + path.string() + "\nisready\n");
    engine.say("setoption name Debug Log File value <empty>\nuci");
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, ">> isready\n<< readyok\n>> setoption name Debug Log File value <empty>\n");
}

}  // namespace
}  // namespace solis::engine
