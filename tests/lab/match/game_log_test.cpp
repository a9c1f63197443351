// Nothing in the log is lost, doubled or believed without a check.
#include "solis/lab/match/game_log.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/chess/fen.h"
#include "solis/chess/random_positions.h"
#include "solis/lab/match/ranks.h"
#include "tests/lab/match/match_helpers.h"

namespace solis::lab {
namespace {

constexpr const char* kIdentity = R"({"players":["a","b"],"seed":1})";

GameRecord random_record(std::uint64_t number, Rng& rng) {
    GameRecord game;
    game.number = number;
    game.white = "a, \"quoted\" \xC3\xA9";
    game.black = "b";
    game.started_at = "2025-01-31T12:00:00Z";
    game.note = "said \x1b[31m";
    game.book_plies = rng.below(4);
    game.duration_ms = static_cast<int>(rng.below(100'000));
    chess::Position position = game.start;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const auto moves = chess::legal_moves(position);
        if (moves.empty()) break;
        PlayedMove played;
        played.move = chess::random_move(moves, rng);
        if (i >= game.book_plies) {
            played.score = rng.chance(0.2) ? data::Score()
                           : rng.chance(0.1)
                               ? data::Score::mated_in(3)
                               : data::Score::centipawns(static_cast<int>(rng.below(2000)) - 1000);
            played.depth = static_cast<int>(rng.below(30));
            played.nodes = rng.next() >> 8;
            played.time_ms = static_cast<int>(rng.below(1000));
            played.lag_ms = static_cast<int>(rng.below(10));
        }
        game.moves.push_back(played);
        position = position.after(played.move);
    }
    game.result = chess::GameResult::BlackWins;
    game.ending = Ending::IllegalMove;
    game.at_fault = chess::Color::White;
    return game;
}

std::vector<GameRecord> random_records(std::size_t count) {
    Rng rng(Seed{5});
    std::vector<GameRecord> games;
    for (std::size_t i = 0; i < count; ++i) games.push_back(random_record(i, rng));
    return games;
}

TEST(GameRecord, JsonLineReadsBackAsTheSameGame) {
    for (const GameRecord& game : random_records(20)) {
        const auto read = parse_json_line(to_json_line(game));
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(*read, game);
    }
}

TEST(GameRecord, DamagedLinesAreRefused) {
    const std::string line = to_json_line(random_records(1)[0]);
    const auto without = [&](const std::string& from, const std::string& to) {
        std::string changed = line;
        changed.replace(changed.find(from), from.size(), to);
        return parse_json_line(changed);
    };
    EXPECT_FALSE(without("\"0-1\"", "\"2-1\""));
    EXPECT_FALSE(without("illegal move", "boredom"));
    EXPECT_FALSE(without("\"white\",\"note\"", "\"\",\"note\"")) << "a fault without a culprit";
    EXPECT_FALSE(without("\"depth\":[", "\"depth\":[1,")) << "one value too many";
    EXPECT_FALSE(without("\"moves\":\"", "\"moves\":\"e2e5 "));
    EXPECT_FALSE(without("\"game\":0", "\"game\":-1"));
    EXPECT_FALSE(parse_json_line("[]"));
    EXPECT_FALSE(parse_json_line(""));
}

TEST(GameLog, TornTailIsCutOffWhereverItTears) {
    const TemporaryFolder folder;
    const std::string path = folder.file("log");
    const auto games = random_records(4);
    {
        auto log = GameLog::open(path, kIdentity);
        ASSERT_TRUE(log) << log.error().message;
        for (const GameRecord& game : games) ASSERT_TRUE(log->add(game));
    }
    const std::string whole = *read_file(path);
    const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
    for (std::size_t size = last_line; size < whole.size(); size += 97) {
        std::ofstream(path, std::ios::trunc) << whole.substr(0, size);
        auto log = GameLog::open(path, kIdentity);
        ASSERT_TRUE(log) << size << ": " << log.error().message;
        EXPECT_EQ(log->earlier().games.size(), 3u);
        EXPECT_EQ(log->dropped_bytes(), size - last_line);
        ASSERT_TRUE(log->add(games[3]));
        EXPECT_EQ(*read_file(path), whole);
    }
}

TEST(GameLog, TornHeadingBeginsTheLogAgain) {
    const TemporaryFolder folder;
    const std::string path = folder.file("log");
    ASSERT_TRUE(GameLog::open(path, kIdentity));
    const std::string heading = *read_file(path);
    for (std::size_t size = 0; size < heading.size(); size += 7) {
        std::ofstream(path, std::ios::trunc) << heading.substr(0, size);
        const auto log = GameLog::open(path, kIdentity);
        ASSERT_TRUE(log) << size << ": " << log.error().message;
        EXPECT_EQ(*read_file(path), heading);
    }
}

TEST(GameLog, AFileWithoutALineEndIsNotErased) {
    const TemporaryFolder folder;
    for (const char* bytes : {"my thesis", "{", "{\"format\":\"solis match log 1\",\"match\":{}"}) {
        const std::string path = folder.file("mine");
        std::ofstream(path, std::ios::trunc) << bytes;
        const bool begins_our_heading = std::string_view(bytes) == "{";
        const auto log = GameLog::open(path, kIdentity);
        EXPECT_EQ(log.has_value(), begins_our_heading) << bytes;
        if (begins_our_heading) continue;
        EXPECT_NE(log.error().message.find("is not the log of a match"), std::string::npos);
        EXPECT_EQ(*read_file(path), bytes) << "left as it was";
    }
}

TEST(GameLog, DeepNestingIsRefusedAndDoesNotOverflowTheStack) {
    const TemporaryFolder folder;
    constexpr std::size_t kDepth = 100'000;
    for (const char* format : {"solis match log 1", "another"}) {
        std::string text = fmt::format(R"({{"format":"{}","match":)", format);
        for (std::size_t i = 0; i < kDepth; ++i) text += i % 2 == 0 ? "[" : "{\"a\":";
        for (std::size_t i = kDepth; i-- > 0;) text += i % 2 == 0 ? "]" : "}";
        text += "}\n";
        std::ofstream(folder.file("deep"), std::ios::trunc) << text;
        EXPECT_FALSE(read_game_log(folder.file("deep")));
        EXPECT_FALSE(GameLog::open(folder.file("deep"), kIdentity));
        EXPECT_EQ(*read_file(folder.file("deep")), text);
    }
}

TEST(GameLog, OtherMatchesAndOtherFilesAreRefused) {
    const TemporaryFolder folder;
    const std::string path = folder.file("log");
    ASSERT_TRUE(GameLog::open(path, kIdentity));
    const auto other = GameLog::open(path, R"({"players":["a","b"],"seed":2})");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("its seed is 1, not 2"), std::string::npos)
        << other.error().message;
    std::ofstream(folder.file("text")) << "hello\n";
    EXPECT_FALSE(GameLog::open(folder.file("text"), kIdentity));
    EXPECT_EQ(*read_file(folder.file("text")), "hello\n") << "left as it was";
}

TEST(GameLog, DamageInTheMiddleIsAnErrorThatNamesTheLine) {
    const TemporaryFolder folder;
    const std::string path = folder.file("log");
    const auto games = random_records(3);
    {
        auto log = GameLog::open(path, kIdentity);
        for (const GameRecord& game : games) ASSERT_TRUE(log->add(game));
    }
    std::string text = *read_file(path);
    text[text.find('\n') + 1] = '!';
    std::ofstream(path, std::ios::trunc) << text;
    const auto read = read_game_log(path);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("line 2"), std::string::npos) << read.error().message;
}

TEST(GameLog, TwoWritersAtOnceAreRefused) {
    const TemporaryFolder folder;
    const auto first = GameLog::open(folder.file("log"), kIdentity);
    ASSERT_TRUE(first);
    EXPECT_FALSE(GameLog::open(folder.file("log"), kIdentity));
}

TEST(RankLogs, AreMergedOnceAndOnlyWhenNobodyWrites) {
    const TemporaryFolder folder;
    const std::string path = folder.file("log");
    const auto games = random_records(5);
    auto main = GameLog::open(path, kIdentity);
    ASSERT_TRUE(main->add(games[0]));
    {
        auto first = GameLog::open(log_of_rank(path, 1), kIdentity);
        ASSERT_TRUE(first->add(games[1]));
        // As if an earlier merge had been killed after adding this one.
        ASSERT_TRUE(first->add(games[0]));
    }
    auto second = GameLog::open(log_of_rank(path, 2), kIdentity);
    ASSERT_TRUE(second->add(games[2]));
    EXPECT_TRUE(other_ranks_write(path));
    EXPECT_EQ(read_all_logs(path)->size(), 3u);
    ASSERT_TRUE(absorb_rank_logs(path, *main));
    EXPECT_EQ(read_game_log(path)->games.size(), 2u) << "rank 2 is still writing";
    EXPECT_FALSE(std::filesystem::exists(log_of_rank(path, 1)));
    EXPECT_TRUE(std::filesystem::exists(log_of_rank(path, 2)));
    EXPECT_EQ(read_all_logs(path)->size(), 3u);
}

}  // namespace
}  // namespace solis::lab
