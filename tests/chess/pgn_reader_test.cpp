// Reading PGN: what real files contain, broken games, hostile input.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/san.h"
#include "tests/chess/read_pgn.h"

namespace solis::chess {
namespace {

// Gives one byte at a time, so that every token meets the end of the buffer's content.
class DripSource final : public ByteSource {
  public:
    explicit DripSource(std::string_view bytes) : rest_(bytes) {}
    Result<std::size_t> read(std::span<char> buffer) override {
        const std::size_t n = rest_.copy(buffer.data(), std::min<std::size_t>(buffer.size(), 1));
        rest_.remove_prefix(n);
        return n;
    }

  private:
    std::string_view rest_;
};

std::string main_line(const PgnGame& game) {
    std::string text;
    Position position = game.start();
    for (std::uint32_t at = game.node(0).next; at != PgnNode::kNone; at = game.node(at).next) {
        if (!text.empty()) text += ' ';
        append_san(text, position, game.node(at).move);
        position = position.after(game.node(at).move);
    }
    return text;
}

Position last_position(const PgnGame& game) {
    Position position = game.start();
    for (std::uint32_t at = game.node(0).next; at != PgnNode::kNone; at = game.node(at).next) {
        position = position.after(game.node(at).move);
    }
    return position;
}

// One line per game: its main line and result, or the error.
std::vector<std::string> summary(ByteSource& source, const PgnLimits& limits = {}) {
    PgnReader reader(source, limits);
    PgnGame game;
    std::vector<std::string> lines;
    for (;;) {
        const auto outcome = reader.next(game);
        if (!outcome) return {"failed: " + outcome.error().message};
        if (*outcome == PgnOutcome::End) return lines;
        if (*outcome == PgnOutcome::Broken) {
            lines.push_back("broken " + reader.error().message);
        } else {
            lines.push_back(main_line(game) + " " + std::string(to_string(game.result())));
        }
    }
}

std::vector<std::string> summary(std::string_view text, const PgnLimits& limits = {}) {
    DripSource drip(text);
    const std::vector<std::string> dripped = summary(drip, limits);
    const auto source = memory_source(text);
    EXPECT_EQ(summary(*source, limits), dripped) << text;
    return dripped;
}

using Lines = std::vector<std::string>;

TEST(PgnReader, ReadsGamesOneAfterTheOther) {
    EXPECT_EQ(summary("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                      "[Event \"b\"]\n\n1.d4 d5 1/2-1/2\n"),
              (Lines{"e4 e5 Nf3 1-0", "d4 d5 1/2-1/2"}));
    EXPECT_EQ(summary(""), Lines{});
    EXPECT_EQ(summary("\n\n  \n"), Lines{});
}

TEST(PgnReader, GamesWithoutTagsOrResults) {
    EXPECT_EQ(summary("1. e4 e5 1-0 1. d4 d5 0-1"), (Lines{"e4 e5 1-0", "d4 d5 0-1"}));
    EXPECT_EQ(summary("1. e4 e5\n\n1. d4 d5\n"), (Lines{"e4 e5 *", "d4 d5 *"}));
    EXPECT_EQ(summary("[Event \"a\"]\n\n1. e4 e5\n[Event \"b\"]\n1. d4"),
              (Lines{"e4 e5 *", "d4 *"}));
    EXPECT_EQ(summary("[Event \"a\"]\n[Result \"0-1\"]\n\n[Event \"b\"]\n1. d4 *"),
              (Lines{" 0-1", "d4 *"}));
    EXPECT_EQ(summary("e4 e5 Nf3 1/2"), (Lines{"e4 e5 Nf3 1/2-1/2"}));
}

TEST(PgnReader, SkipsWhatIsNotTheGame) {
    EXPECT_EQ(summary("\xEF\xBB\xBF[Event \"a\"]\r\n\r\n% escaped ( { \r\n1. e4 {x} e5\r\n"
                      "; rest of line ( {\r\n2... Nc6!? $14 *\r\n"),
              (Lines{"broken line 6: 'Nc6' is not legal in "
                     "'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'"}));
    EXPECT_EQ(summary("%first line\n1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4 *) 1... e5 (1... c5) *"),
              (Lines{"e4 e5 *"}));
    EXPECT_EQ(summary("{a file comment}\n[Event \"a\"]\n1. e4 *"), (Lines{"e4 *"}));
}

TEST(PgnReader, MovesOfManyDialects) {
    EXPECT_EQ(summary("1. e2e4 e7-e5 2.g1f3 Nb8c6 3.Bb5 a6 4 Bxc6 dxc6+ 5. 0-0 *"),
              (Lines{"e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O *"}));
    EXPECT_EQ(summary("[SetUp \"1\"]\n[FEN \"7k/4P3/8/2pP4/8/8/8/4K3 w - c6 0 2\"]\n"
                      "2. dxc6 e.p. Kg7 3. e8(Q) *"),
              (Lines{"dxc6 Kg7 e8=Q *"}));
}

TEST(PgnReader, StartsFromFenAndChess960) {
    const PgnGame game = read_one(
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n"
        "[FEN \"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1\"]\n\n1. O-O-O O-O *");
    EXPECT_EQ(main_line(game), "O-O-O O-O");
    EXPECT_EQ(to_fen_without_counters(last_position(game)),
              "r4rk1/pppppppp/8/8/8/8/PPPPPPPP/2KRR3 w - -");
    EXPECT_EQ(
        summary("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n[Event \"b\"]\n1. e4 *")[1],
        "e4 *");
    EXPECT_EQ(summary("[Variant \"Atomic\"]\n\n1. e4 *"),
              (Lines{"broken line 3: variant 'Atomic' is not supported"}));
    EXPECT_EQ(summary("[Variant \"From Position\"]\n\n1. e4 *"), (Lines{"e4 *"}));
}

TEST(PgnReader, TagsAreUnescapedAndMadeUtf8) {
    const PgnGame game = read_one(
        "[Event \"The \\\"Open\\\" C:\\\\x\"] [Site \"a \"b\" c\"]\n[White \"M\xFCller\"]\n"
        "[Black \"M\xC3\xBCller\"]\n[ Round  \"1\" ]\n[Empty \"\"]\n\n*");
    EXPECT_EQ(game.tag("Event"), "The \"Open\" C:\\x");
    EXPECT_EQ(game.tag("Site"), "a \"b\" c");
    EXPECT_EQ(game.tag("White"), "M\xC3\xBCller");
    EXPECT_EQ(game.tag("Black"), "M\xC3\xBCller");
    EXPECT_EQ(game.tag("Round"), "1");
    EXPECT_EQ(game.tag("Empty"), "");
    EXPECT_EQ(game.tag("Missing"), std::nullopt);
}

TEST(PgnReader, CommandsInCommentsBecomeNotes) {
    const PgnGame game = read_one(
        "{intro} 1. e4 { [%eval 0.17,20] [%clk 0:10:00.5] } e5 {good [%eval #-4] move} "
        "2. Nf3 {[%emt 0:00:03][%cal Gc4]} Nc6 {[%eval x]} $1 ({why not} 2... d6 ?!) *");
    std::vector<std::string> notes;
    for (const PgnNote& note : game.notes()) {
        notes.push_back(fmt::format("{}:{}{} {} {} {}", note.node, static_cast<int>(note.kind),
                                    note.before_move ? "b" : "", note.value, note.depth,
                                    game.text_of(note)));
    }
    EXPECT_EQ(notes, (Lines{"0:0 0 0 intro", "1:2 17 20 ", "1:4 600500 0 ", "2:3 -4 0 ",
                            "2:0 0 0 good move", "3:5 3000 0 ", "3:0 0 0 [%cal Gc4]",
                            "4:0 0 0 [%eval x]", "4:1 1 0 ", "5:0b 0 0 why not", "5:1 6 0 "}));
    EXPECT_EQ(game.variation_count(), 1u);
    EXPECT_EQ(game.ply_count(), 4u);
    EXPECT_EQ(game.node(4).alternative, 5u);
}

TEST(PgnReader, NotesAfterAVariationBelongToTheMoveBeforeIt) {
    const PgnGame game = read_one("1. e4 (1. d4 {queen's pawn}) {king's pawn} (1. c4) e5 ({x}) *");
    ASSERT_EQ(game.notes_of(1).size(), 1u);
    EXPECT_EQ(game.text_of(game.notes_of(1)[0]), "king's pawn");
    ASSERT_EQ(game.notes_of(2).size(), 1u);
    EXPECT_EQ(game.text_of(game.notes_of(2)[0]), "queen's pawn");
    EXPECT_TRUE(game.notes_of(3).empty());
    ASSERT_EQ(game.notes_of(4).size(), 1u);
    EXPECT_FALSE(game.notes_of(4)[0].before_move);
}

TEST(PgnReader, BrokenGamesAreReportedAndSkipped) {
    const std::string good = "[Event \"good\"]\n\n1. e4 e5 *\n\n";
    const auto message = [&](const std::string& bad) {
        const Lines lines = summary(bad + good);
        EXPECT_EQ(lines.size(), 2u) << bad;
        EXPECT_EQ(lines.back(), "e4 e5 *") << bad;
        return lines.empty() ? "" : lines.front();
    };
    EXPECT_EQ(message("[Event \"x\"]\n\n1. e4 e5\n2. Ke3 Nf6 (2... a6 *) 3. a3 *\n\n"),
              "broken line 4: 'Ke3' is not legal in "
              "'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'");
    EXPECT_EQ(message("1. e4 -- *\n"),
              "broken line 1: '--' is a null move, which is not a move of chess");
    EXPECT_EQ(message("1. e4 (1. d4 d5\n\n"),
              "broken line 3: the variation that begins in line 1 is not closed");
    EXPECT_EQ(message("1. e4 ) e5 *\n"), "broken line 1: ')' without '('");
    EXPECT_EQ(message("(1. e4) *\n"), "broken line 1: a variation begins before any move");
    EXPECT_EQ(message("1. e4 {never closed\n\n"),
              "broken line 3: the comment that begins in line 1 is not closed");
    EXPECT_EQ(message("[Event \"x]\n\n1. e4 *\n\n"),
              "broken line 1: tag '[Event \"x]' does not end with '\"]'");
    EXPECT_EQ(message("[Event x]\n\n1. e4 *\n\n"), "broken line 1: '[Event x]' is not a tag");
    EXPECT_EQ(message("1. e4 & e5 *\n"), "broken line 1: unexpected character '&' (0x26)");
    EXPECT_EQ(message("1. e4 $999 *\n"),
              "broken line 1: '$' must be followed by a number from 0 to 255");
    EXPECT_EQ(message(std::string("1. e4 \0 *\n", 10)),
              "broken line 1: unexpected character '?' (0x00)");
    EXPECT_EQ(message("[FEN \"x\"]\n\n1. e4 *\n"),
              "broken line 3: FEN 'x': 1 fields, expected 4 to 6");
}

TEST(PgnReader, ABrokenGameKeepsItsTagsAndItsFirstMoves) {
    const auto source = memory_source("[White \"A\"]\n\n1. e4 e5 2. Qxf7 *");
    PgnReader reader(*source);
    PgnGame game;
    ASSERT_EQ(reader.next(game).value(), PgnOutcome::Broken);
    EXPECT_EQ(game.tag("White"), "A");
    EXPECT_EQ(main_line(game), "e4 e5");
    EXPECT_EQ(reader.line(), 3u);
    EXPECT_EQ(reader.next(game).value(), PgnOutcome::End);
}

TEST(PgnReader, ResultsThatDifferAreNoticed) {
    const auto source = memory_source("[Result \"1-0\"]\n\n1. e4 0-1\n\n[Result \"1-0\"]\n1. e4 *");
    PgnReader reader(*source);
    PgnGame game;
    ASSERT_EQ(reader.next(game).value(), PgnOutcome::Game);
    EXPECT_TRUE(reader.results_differ());
    EXPECT_EQ(game.result(), GameResult::BlackWins);
    ASSERT_EQ(reader.next(game).value(), PgnOutcome::Game);
    EXPECT_EQ(game.result(), GameResult::WhiteWins);
}

TEST(PgnReader, LimitsStopHostileGamesNotTheFile) {
    PgnLimits limits;
    limits.moves = 4;
    limits.depth = 2;
    limits.text = 100;
    limits.tags = 3;
    limits.notes = 5;
    const std::string good = "\n[Event \"good\"]\n1. e4 e5 *\n";
    const auto message = [&](const std::string& bad) {
        const Lines lines = summary(bad + good, limits);
        EXPECT_EQ(lines.size(), 2u) << bad;
        EXPECT_EQ(lines.back(), "e4 e5 *") << bad;
        return lines.front();
    };
    EXPECT_EQ(message("1. e4 e5 2. d4 d5 3. c4 *"), "broken line 1: more than 4 moves");
    EXPECT_EQ(message("1. e4 (1. d4 (1. c4 (1. b4))) *"),
              "broken line 1: variations nested more than 2 deep");
    EXPECT_EQ(message("1. e4 {" + std::string(200, 'x') + "} *"),
              "broken line 1: a comment of more than 100 bytes");
    EXPECT_EQ(message("1. e4 {" + std::string(60, 'x') + "} {" + std::string(60, 'x') + "} *"),
              "broken line 1: more than 100 bytes of comments or 5 notes");
    EXPECT_EQ(message("1. e4 $1 $2 $3 $4 $5 $6 *"), "broken line 1: more than 5 notes");
    EXPECT_EQ(message("[A \"1\"]\n[B \"1\"]\n[C \"1\"]\n[D \"1\"]\n1. e4 *"),
              "broken line 4: more than 3 tags");
    EXPECT_EQ(message("1. " + std::string(1000, 'N') + " e5 *"),
              "broken line 1: a word of more than 255 characters");
}

TEST(PgnReader, TokensLongerThanTheBufferAreReadOrRefused) {
    const std::string long_text(500'000, 'x');
    const PgnGame game = read_one("1. e4 {" + long_text + "} e5 *");
    ASSERT_EQ(game.notes_of(1).size(), 1u);
    EXPECT_EQ(game.text_of(game.notes_of(1)[0]), long_text);
    const Lines lines =
        summary("1. " + long_text + " *\n[White \"" + long_text + "\"]\n\n*\n1. e4 *");
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "broken line 1: a word of more than 255 characters");
    EXPECT_EQ(lines[1].substr(0, 26), "broken line 2: tag '[White");
    EXPECT_EQ(lines[2], "e4 *");
}

TEST(PgnReader, PaperGamesReplayToTheirResults) {
    const auto source = open_source(std::string(SOLIS_TEST_FILES) + "/paper_games.pgn");
    ASSERT_TRUE(source);
    PgnReader reader(**source);
    PgnGame game;
    std::string mates, draws;
    for (;;) {
        const auto outcome = reader.next(game);
        ASSERT_TRUE(outcome);
        if (*outcome == PgnOutcome::End) break;
        ASSERT_EQ(*outcome, PgnOutcome::Game) << reader.error().message;
        EXPECT_FALSE(reader.results_differ());
        const char letter = game.tag("Event")->back();
        const Position last = last_position(game);
        if (game.result() == GameResult::Draw) {
            draws += letter;
            continue;
        }
        EXPECT_TRUE(last.in_check() && !has_legal_move(last)) << letter;
        EXPECT_EQ(last.side_to_move(), Color::Black) << letter;
        EXPECT_EQ(game.result(), GameResult::WhiteWins) << letter;
        mates += letter;
    }
    EXPECT_EQ(mates, "ABDEFGH");
    EXPECT_EQ(draws, "CI");
}

}  // namespace
}  // namespace solis::chess
