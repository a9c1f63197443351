// Lines of other programs, typed here as they write them.
#include "solis/data/formats/text_formats.h"

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/data/formats/plain_format.h"
#include "tests/data/formats/format_helpers.h"

namespace solis::data {
namespace {

Score only_score(const Imported& imported) {
    EXPECT_EQ(imported.games.size(), 1u);
    EXPECT_EQ(imported.report.bad_rows, 0u)
        << (imported.report.first_errors.empty() ? "" : imported.report.first_errors[0]);
    if (imported.games.size() != 1) return Score();
    EXPECT_EQ(chess::to_fen(imported.games[0].start), kAfterE4);
    EXPECT_EQ(imported.games[0].line.size(), 1u);
    return imported.games[0].line[0].score;
}

TEST(TextFormat, ScoreIsTurnedFromWhiteToTheSideToMove) {
    const Imported read = read_text(text_rows, fmt::format("{} | 31 | 1.0\n", kAfterE4));
    EXPECT_EQ(only_score(read), Score::centipawns(-31));
    EXPECT_EQ(read.games[0].result, GameResult::WhiteWins);
}

TEST(TextFormat, ResultsAreReadInEverySpelling) {
    for (const auto& [text, result] :
         std::vector<std::pair<std::string, GameResult>>{{"| 0.0", GameResult::BlackWins},
                                                         {"| [0.5]", GameResult::Draw},
                                                         {"|1/2", GameResult::Draw},
                                                         {"| 1-0 \r", GameResult::WhiteWins},
                                                         {"", GameResult::Unknown}}) {
        const Imported read = read_text(text_rows, fmt::format("{} | -5 {}", kAfterE4, text));
        EXPECT_EQ(only_score(read), Score::centipawns(5));
        EXPECT_EQ(read.games[0].result, result) << text;
    }
}

TEST(TextFormat, BadLinesAreCountedQuotedAndSkipped) {
    const Imported read = read_text(
        text_rows, fmt::format("# comment\n\n{0} | x | 1.0\n{0} | 5 | 7\nnonsense\n{0} | 33000 | "
                               "0.5\n{0} | 12 | 0.5\n",
                               kAfterE4));
    EXPECT_EQ(read.games.size(), 1u);
    EXPECT_EQ(read.report.rows, 5u);
    EXPECT_EQ(read.report.bad_rows, 4u);
    ASSERT_EQ(read.report.first_errors.size(), 4u);
    EXPECT_EQ(read.report.first_errors[0], "test line 3: score 'x', expected a whole number");
    EXPECT_EQ(read.report.first_errors[2],
              "test line 5: 'nonsense' has no '|', expected FEN | score | result");
}

TEST(TsvFormat, ScoreIsTheSideToMovesAndMatesKeepTheirDistance) {
    const auto score = [](std::string_view text) {
        return only_score(read_text(tsv_rows, fmt::format("{}\t{}", kAfterE4, text)));
    };
    EXPECT_EQ(score("-31"), Score::centipawns(-31));
    EXPECT_EQ(score("31997\tm"), Score::mate_in(3));
    EXPECT_EQ(score("-32000\tt\textra"), Score::mated_in(0));
    EXPECT_EQ(score("25000"), Score::centipawns(20000)) << "another engine's sure win";
}

TEST(JsonFormat, DeepestLichessEvaluationCountsAndIsWhitesView) {
    const std::string row = R"({"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",)"
                            R"("evals":[{"pvs":[{"cp":99,"line":"e7e5"}],"knodes":900,"depth":20},)"
                            R"({"pvs":[{"cp":25,"line":"c7c5"},{"cp":30,"line":"e7e5"}],)"
                            R"("knodes":5,"depth":40},)"
                            R"({"pvs":[{"cp":77,"line":"a7a6"}],"knodes":1,"depth":40}]})";
    EXPECT_EQ(only_score(read_text(json_rows, row)), Score::centipawns(-25));
}

TEST(JsonFormat, LichessMatesAreTurnedToTheSideToMove) {
    const auto score = [](int mate) {
        const std::string row = fmt::format(
            R"({{"fen":"{}","evals":[{{"pvs":[{{"mate":{},"line":""}}],"knodes":1,"depth":9}}]}})",
            kAfterE4, mate);
        return only_score(read_text(json_rows, row));
    };
    EXPECT_EQ(score(4), Score::mated_in(4));
    EXPECT_EQ(score(-4), Score::mate_in(4));
    EXPECT_EQ(score(2000000000), Score::mated_in(Score::kUnknownDistance));
}

TEST(JsonFormat, BadRowsDoNotEndTheImport) {
    const Imported read = read_text(
        json_rows, fmt::format("{{\"fen\":\"{0}\"}}\n{{\"fen\":3}}\n{{\"fen\":\"{0}\",\"cp\":7}}\n"
                               "{{\"fen\":\"{0}\",\"evals\":[]}}\n[1,2\n\xff\xfe\n"
                               "{{\"fen\":\"{0}\",\"mate\":-2,\"result\":\"0-1\"}} x\n",
                               kAfterE4));
    EXPECT_EQ(read.report.rows, 7u);
    EXPECT_EQ(read.report.bad_rows, 6u);
    ASSERT_EQ(read.games.size(), 1u);
    EXPECT_EQ(read.games[0].line[0].score, Score::centipawns(7)) << "our own rows: side to move";
}

TEST(PuzzleFormat, LineIsTheOpponentsMoveAndTheSolution) {
    const Imported read = read_text(
        puzzle_rows,
        "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n"
        "00008,r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2R1/PqP2bPP/7K b - - 0 24,f2g3 e6e7 b2b1 b3c1 b1c1 h6c1,"
        "1913,75,94,6230,crushing hangingPiece long middlegame,https://x#48,\n");
    ASSERT_EQ(read.games.size(), 1u);
    const LabelledGame& game = read.games[0];
    ASSERT_EQ(game.line.size(), 7u);
    EXPECT_EQ(chess::to_uci(game.start, game.line[1].move), "f2g3");
    for (const Ply& ply : game.line) EXPECT_TRUE(ply.score.is_none());
}

TEST(PuzzleFormat, FieldsMayBeQuotedAsInRfc4180) {
    const std::string fen(kAfterE4);
    const Imported read =
        read_text(puzzle_rows, "\"a,\"\"b\"\"\n c\",\"" + fen + "\",\"e7e5\",1\nid," + fen +
                                   ",e7e9\nid2,\"" + fen + "\" x,e7e5\n");
    ASSERT_EQ(read.games.size(), 1u);
    EXPECT_EQ(read.games[0].line.size(), 2u);
    EXPECT_EQ(read.report.bad_rows, 2u);
}

TEST(PuzzleFormat, AnOpenQuoteDoesNotSwallowTheFile) {
    std::string text = "\"open\n";
    for (int i = 0; i < 3000; ++i) text += fmt::format("id,{},e7e5\n", kAfterE4);
    const Imported read = read_text(puzzle_rows, text);
    EXPECT_GT(read.games.size(), 1000u);
    EXPECT_GE(read.report.bad_rows, 1u);
}

std::string plain_entry(std::string_view fen, std::string_view move, int score, int result) {
    return fmt::format("fen {}\nmove {}\nscore {}\nply 1\nresult {}\ne\n", fen, move, score,
                       result);
}

TEST(PlainFormat, EntriesThatFollowOneAnotherAreOneGame) {
    const std::string text = plain_entry(chess::kStartFen, "e2e4", 20, 1) +
                             plain_entry(kAfterE4, "e7e5", -15, -1) +
                             plain_entry(chess::kStartFen, "d2d4", 30, 0);
    const auto source = plain_source("test", memory_source(text));
    const auto games = all_games(*source);
    ASSERT_EQ(games.size(), 2u);
    ASSERT_EQ(games[0].line.size(), 3u);
    EXPECT_EQ(games[0].line[0].score, Score::centipawns(20));
    EXPECT_EQ(games[0].line[1].score, Score::centipawns(-15));
    EXPECT_TRUE(games[0].line[2].score.is_none());
    EXPECT_EQ(games[0].result, GameResult::WhiteWins);
    EXPECT_EQ(games[1].result, GameResult::Draw);
}

TEST(PlainFormat, BadEntriesAreSkippedWithTheirLine) {
    const std::string text = plain_entry("rubbish", "e2e4", 20, 1) +
                             plain_entry(kAfterE4, "e2e4", -15, -1) +
                             plain_entry(kAfterE4, "e7e5", -15, -1);
    const auto source = plain_source("test", memory_source(text));
    EXPECT_EQ(all_games(*source).size(), 1u);
    EXPECT_EQ(source->report().rows, 3u);
    EXPECT_EQ(source->report().bad_rows, 2u);
    EXPECT_TRUE(source->report().first_errors[0].starts_with("test line 6: "));
}

TEST(RowSource, AnyNumberOfThreadsGivesTheSameGamesAndErrorsInOrder) {
    std::string text;
    for (int i = 0; i < 5000; ++i) {
        text += fmt::format("{}\t{}\n", i % 97 == 5 ? "bad" : kAfterE4, i);
    }
    const auto read = [&](int threads) {
        return read_rows(tsv_rows(memory_source(text)), threads);
    };
    const Imported one = read(1);
    EXPECT_EQ(one.report.bad_rows, 52u);
    for (const int threads : {2, 3, 8}) {
        const Imported several = read(threads);
        EXPECT_EQ(several.games, one.games) << threads;
        EXPECT_EQ(several.report.first_errors, one.report.first_errors) << threads;
        EXPECT_EQ(several.report.bad_rows, one.report.bad_rows) << threads;
    }
}

TEST(RowSource, MayBeDroppedBeforeItsEnd) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += fmt::format("{}\t{}\n", kAfterE4, i);
    const auto source = make_row_source("test", tsv_rows(memory_source(text)), 3);
    LabelledGame game;
    ASSERT_TRUE(source->next(game));
}

}  // namespace
}  // namespace solis::data
