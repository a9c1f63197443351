// Samples, traces and similar positions as programs use them.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "solis/analysis/explain/explanation.h"
#include "solis/analysis/space/position_map.h"
#include "solis/analysis/space/similar_index.h"
#include "solis/analysis/space/trace.h"
#include "solis/chess/fen.h"
#include "solis/model/open.h"
#include "tests/base/temporary_folder.h"
#include "tests/chess/from_fen.h"

namespace solis::analysis {
namespace {

constexpr const char* kGames = R"pgn([White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[White "Bob"]
[Black "Cid"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
)pgn";

class Space : public testing::Test {
  protected:
    void SetUp() override {
        std::ofstream(games_) << kGames;
        auto opened = SpaceModel::open("");
        ASSERT_TRUE(opened);
        model_.emplace(std::move(*opened));
    }
    [[nodiscard]] SeenGame game(std::size_t number) const {
        SeenGame found;
        std::size_t at = 0;
        EXPECT_TRUE(read_games(games_, {}, [&](SeenGame&& seen) {
            if (++at == number) found = std::move(seen);
            return true;
        }));
        return found;
    }
    [[nodiscard]] SimilarIndex index() {
        return *build_similar_index(games_, 1000, *model_, pool_, {});
    }

    TemporaryFolder folder_;
    std::string games_ = folder_ / "games.pgn";
    std::optional<SpaceModel> model_;
    ThreadPool pool_{2};
};

TEST_F(Space, ATraceEndsWithWhatTheRulesSayAndNamesItsLargestChanges) {
    const GameTrace trace = trace_game(game(1), *model_, 3, pool_);
    ASSERT_EQ(trace.p.size(), 8u);
    EXPECT_EQ(trace.z.size(), 8 * trace.dims);
    EXPECT_EQ(trace.p.back(), 1.0) << "mate";
    ASSERT_EQ(trace.key_moments.size(), 3u);
    double last = 1;
    for (const KeyMoment& moment : trace.key_moments) {
        EXPECT_EQ(moment.before, trace.p[moment.ply - 1]);
        EXPECT_EQ(moment.after, trace.p[moment.ply]);
        EXPECT_EQ(moment.move, move_text(trace.game, moment.ply));
        EXPECT_LE(std::abs(moment.after - moment.before), last);
        last = std::abs(moment.after - moment.before);
    }
    EXPECT_EQ(move_text(trace.game, 6), "3...Nf6");
}

TEST_F(Space, ASampleSaysWhereItsPositionsComeFrom) {
    const auto sample = sample_positions(games_, 100, Seed{1}, *model_);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->positions.size(), 12u) << "13, of which both games share the start";
    for (std::size_t i = 0; i < sample->positions.size(); ++i) {
        const PositionOrigin& origin = sample->origins[i];
        EXPECT_EQ(chess::to_fen(game(origin.game).positions[origin.ply]),
                  chess::to_fen(sample->positions[i]));
    }
    EXPECT_EQ(sample->origin_text(11), "game 2: Bob - Cid, ply 4");
    EXPECT_FALSE(sample->played(11)) << "mate";
    EXPECT_EQ(sample->played(10), sample->game_of(11).moves[3]);
    EXPECT_EQ(sample->game_of(11).result, chess::GameResult::BlackWins);
}

TEST_F(Space, ASampleOfFewIsDrawnFromAll) {
    const auto first = sample_positions(games_, 3, Seed{1}, *model_);
    const auto same = sample_positions(games_, 3, Seed{1}, *model_);
    ASSERT_TRUE(first && same);
    EXPECT_EQ(first->positions.size(), 3u);
    EXPECT_TRUE(std::ranges::equal(first->positions, same->positions));
    bool late = false;
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        late |= sample_positions(games_, 3, Seed{seed}, *model_)->origins[0].game == 2;
    }
    EXPECT_TRUE(late) << "only the beginning was ever taken";
}

TEST_F(Space, WorkThatIsStoppedSaysSo) {
    Listener listener;
    listener.progress = [](std::string_view, std::uint64_t, std::uint64_t) { return false; };
    MapRequest request;
    request.count = 100;
    for (const std::string& input : {std::string(), games_}) {
        request.input = input;
        const auto map = fit_position_map(request, *model_, pool_, listener);
        ASSERT_FALSE(map);
        EXPECT_TRUE(atlas::is_interruption(map.error()));
    }
    const auto index = build_similar_index(games_, 1000, *model_, pool_, listener);
    ASSERT_FALSE(index);
    EXPECT_TRUE(atlas::is_interruption(index.error()));
}

TEST_F(Space, SimilarPositionsComeWithTheirGames) {
    const SimilarIndex built = index();
    const auto asked =
        chess::from_fen("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
    const auto found = most_similar(built, model_->embed({&asked, 1}, pool_), 100, pool_);
    ASSERT_EQ(found.size(), 12u) << "each position once";
    EXPECT_NEAR(found[0].similarity, 1, 1e-5);
    EXPECT_EQ(built.games[built.rows[found[0].row].game].name, "Bob - Cid");
    EXPECT_EQ(chess::to_fen(built.position(found[0].row)), chess::to_fen(asked));
    for (std::size_t i = 1; i < found.size(); ++i) {
        EXPECT_LE(found[i].similarity, found[i - 1].similarity);
    }
}

TEST_F(Space, AnIndexFileGivesBackTheIndexAndRefusesEveryDamage) {
    const SimilarIndex built = index();
    const std::string file = to_index_file(built);
    const auto read = parse_index_file(file);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->points, built.points);
    EXPECT_EQ(to_index_file(*read), file);
    for (std::size_t i = 0; i < file.size(); ++i) {
        std::string damaged = file;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
        EXPECT_FALSE(parse_index_file(damaged)) << "byte " << i;
        EXPECT_FALSE(parse_index_file(std::string_view(file).substr(0, i))) << "cut at " << i;
    }
}

TEST(Explanation, CountsPiecesSquaresAndMoves) {
    const auto model = model::open("");
    ASSERT_TRUE(model);
    const auto position = chess::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    const Explanation whole = explain(position, **model);
    ASSERT_EQ(whole.pieces.size(), 7u);
    EXPECT_GT(whole.pieces[0].worth.value(), 0) << "White's rook";
    EXPECT_TRUE(whole.pieces[0].square_worth);
    ASSERT_FALSE(whole.moves.empty());
    EXPECT_EQ(whole.moves[0].san, "Rd8#");
    EXPECT_TRUE(whole.moves[0].ends_game);
    EXPECT_EQ(whole.moves[0].win_probability, 1.0);
    const Explanation small = explain(position, **model, {.squares = false, .moves = false});
    EXPECT_TRUE(small.moves.empty());
    EXPECT_FALSE(small.pieces[0].square_worth);
    EXPECT_EQ(small.pieces[0].worth, whole.pieces[0].worth);
    EXPECT_EQ(small.score, whole.score);
}

TEST(Explanation, IsByTheEncoderInCharge) {
    const auto model = model::open("");
    ASSERT_TRUE(model);
    if (!(*model)->has_endings()) GTEST_SKIP() << "the embedded model has one encoder";
    const auto position = chess::from_fen("8/8/8/4k3/8/8/3QK3/8 w - - 0 1");
    const Explanation explained = explain(position, **model);
    ASSERT_TRUE(explained.ending_score);
    const auto evaluator = (*model)->make_evaluator();
    EXPECT_EQ(explained.win_probability,
              (*model)->win_probability(evaluator->score(position), position));
    for (const ExplainedMove& move : explained.moves) {
        if (move.ends_game) continue;
        const chess::Position after = position.after(move.move);
        EXPECT_EQ(move.win_probability, (*model)->win_probability(evaluator->score(after), after))
            << move.san;
    }
}

}  // namespace
}  // namespace solis::analysis
