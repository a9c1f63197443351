// Every format that can be written is read back; what a format cannot hold is stated here.
#include <fstream>

#include <fmt/format.h>

#include "solis/base/byte_sink.h"
#include "solis/chess/fen.h"
#include "solis/data/formats/format.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/formats/format_helpers.h"
#include "tests/data/random_games.h"

namespace solis::data {
namespace {

// A position with its labels, as a format keeps it.
struct Kept {
    std::string fen;
    Score score;
    GameResult result;

    friend bool operator==(const Kept&, const Kept&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Kept& kept) {
        return out << kept.fen << " " << kept.score.value() << " " << chess::to_string(kept.result);
    }
};

chess::Position moved(const chess::Position& position, chess::Move move) {
    return move.is_none() ? position : position.after(move);
}

std::vector<std::pair<chess::Position, Kept>> labelled_positions(
    const std::vector<LabelledGame>& games) {
    std::vector<std::pair<chess::Position, Kept>> positions;
    const auto add = [&](const chess::Position& position, Score score, GameResult result) {
        if (score.is_none()) return;
        positions.emplace_back(position, Kept{chess::to_fen(position), score, result});
    };
    for (const LabelledGame& game : games) {
        chess::Position position = game.start;
        std::size_t branch = 0;
        for (const Ply& ply : game.line) {
            position = moved(position, ply.move);
            add(position, ply.score, game.result);
            for (std::uint32_t i = 0; i < ply.branch_count; ++i, ++branch) {
                const Branch& b = game.branches[branch];
                add(moved(moved(position, b.first), b.second), b.score, game.result);
            }
        }
    }
    return positions;
}

class RoundTrip : public testing::Test {
  protected:
    std::vector<LabelledGame> through(const std::vector<LabelledGame>& games,
                                      const std::string& name, Format format) {
        const std::string path = (folder_ / name).string();
        auto sink = create_export(path, format);
        EXPECT_TRUE(sink) << sink.error().message;
        for (const LabelledGame& game : games) EXPECT_TRUE((*sink)->write(game));
        EXPECT_FALSE(std::filesystem::exists(path)) << "visible before it is complete";
        EXPECT_TRUE((*sink)->finish());
        const auto detected = detect_format(path);
        EXPECT_TRUE(detected) << detected.error().message;
        if (detected) {
            EXPECT_EQ(*detected, format) << name;
        }
        auto source = open_import({path}, std::nullopt, 2);
        EXPECT_TRUE(source) << source.error().message;
        std::vector<LabelledGame> back = all_games(**source);
        EXPECT_EQ((*source)->report().bad_rows, 0u)
            << ((*source)->report().first_errors.empty() ? ""
                                                         : (*source)->report().first_errors[0]);
        return back;
    }

    // `keep` turns an original into what the format can hold.
    template <class Keep>
    void expect_kept(const std::string& name, Format format, Keep keep) {
        const auto expected = labelled_positions(games_);
        const auto back = labelled_positions(through(games_, name, format));
        ASSERT_EQ(back.size(), expected.size()) << name;
        ASSERT_GT(back.size(), 1000u);
        for (std::size_t i = 0; i < back.size(); ++i) {
            ASSERT_EQ(back[i].second, keep(expected[i].first, expected[i].second))
                << name << " " << i;
        }
    }

    TemporaryFolder folder_;
    std::vector<LabelledGame> games_ = random_games(Seed{11}, 80, 60);
};

GameResult known(GameResult result) {
    return result == GameResult::Unknown ? GameResult::Draw : result;
}

TEST_F(RoundTrip, TextKeepsAllButUnknownResults) {
    for (const std::string name : {"a", "a.zst"}) {
        expect_kept(name, Format::Text, [](const chess::Position&, Kept kept) {
            kept.result = known(kept.result);
            return kept;
        });
    }
}

TEST_F(RoundTrip, TsvKeepsAllButResults) {
    expect_kept("a", Format::Tsv, [](const chess::Position&, Kept kept) {
        kept.result = GameResult::Unknown;
        return kept;
    });
}

TEST_F(RoundTrip, JsonKeepsAll) {
    expect_kept("a", Format::Json, [](const chess::Position&, Kept kept) { return kept; });
}

TEST_F(RoundTrip, MarlinKeepsAllButUnknownResultsAndLongClocks) {
    expect_kept("a.bin", Format::Marlin, [](const chess::Position& position, Kept kept) {
        chess::Setup setup = position.setup();
        setup.halfmove_clock = std::min(setup.halfmove_clock, 255);
        kept.fen = chess::to_fen(*chess::Position::from(setup));
        kept.result = known(kept.result);
        return kept;
    });
}

TEST_F(RoundTrip, BulletKeepsTheBoardTurnedToTheMoverWithoutRightsAndCounters) {
    expect_kept("a.bin", Format::Bullet, [](const chess::Position& position, Kept kept) {
        const bool turned = position.side_to_move() == chess::Color::Black;
        chess::Setup setup = (turned ? position.color_flipped() : position).setup();
        setup.castling_rooks = 0;
        setup.en_passant = chess::Square::None;
        setup.halfmove_clock = 0;
        setup.fullmove_number = 1;
        kept.fen = chess::to_fen(*chess::Position::from(setup));
        kept.result = known(kept.result);
        const bool decided = kept.result != GameResult::Draw;
        if (turned && decided) {
            kept.result = kept.result == GameResult::WhiteWins ? GameResult::BlackWins
                                                               : GameResult::WhiteWins;
        }
        return kept;
    });
}

// Win probabilities hold neither distances to mate nor results, and run out of digits.
void expect_same_probability(Score back, Score original, int exact_up_to) {
    EXPECT_EQ(back.is_mate(), original.is_mate()) << original.value();
    EXPECT_EQ(back.value() > 0, original.value() > 0) << original.value();
    if (std::abs(original.value()) <= exact_up_to) {
        EXPECT_EQ(back, original);
    }
    EXPECT_NEAR(back.win_probability(), original.win_probability(), 1e-6);
}

TEST_F(RoundTrip, BagsKeepPositionsAndProbabilities) {
    for (const std::string name : {"a.bag", "a.bagz"}) {
        const auto expected = labelled_positions(games_);
        const auto back = labelled_positions(through(games_, name, Format::Bag));
        ASSERT_EQ(back.size(), expected.size());
        for (std::size_t i = 0; i < back.size(); ++i) {
            ASSERT_EQ(back[i].second.fen, expected[i].second.fen);
            expect_same_probability(back[i].second.score, expected[i].second.score, 7000);
        }
    }
}

TEST_F(RoundTrip, Hdf5KeepsPositionsOfStandardChessAndProbabilities) {
    std::vector<LabelledGame> standard;
    for (const LabelledGame& game : games_) {
        if (!game.start.needs_chess960_castling() && game.start.fullmove_number() < 800 &&
            game.start.halfmove_clock() < 800) {
            standard.push_back(game);
        }
    }
    const auto expected = labelled_positions(standard);
    const auto back = labelled_positions(through(standard, "a.h5", Format::Hdf5));
    ASSERT_EQ(back.size(), expected.size());
    ASSERT_GT(back.size(), 1000u);
    for (std::size_t i = 0; i < back.size(); ++i) {
        ASSERT_EQ(back[i].second.fen, expected[i].second.fen);
        expect_same_probability(back[i].second.score, expected[i].second.score, 2000);
    }
}

TEST_F(RoundTrip, PgnKeepsGamesExceptSecondLooksAndBranchesOfTheLastPosition) {
    std::vector<LabelledGame> expected = games_;
    for (LabelledGame& game : expected) {
        for (Ply& ply : game.line) ply.second_look = Score();
        game.branches.resize(game.branches.size() - game.line.back().branch_count);
        game.line.back().branch_count = 0;
        // A branch without a verdict leaves nothing to be read back.
        std::size_t at = 0;
        std::vector<Branch> labelled;
        for (Ply& ply : game.line) {
            std::uint32_t kept = 0;
            for (std::uint32_t i = 0; i < ply.branch_count; ++i, ++at) {
                if (game.branches[at].score.is_none()) continue;
                labelled.push_back(game.branches[at]);
                ++kept;
            }
            ply.branch_count = kept;
        }
        game.branches = labelled;
    }
    const auto back = through(games_, "a", Format::Pgn);
    ASSERT_EQ(back.size(), expected.size());
    for (std::size_t i = 0; i < back.size(); ++i) ASSERT_EQ(back[i], expected[i]) << i;
}

TEST_F(RoundTrip, TreesKeepGamesExceptSecondLooksAndResults) {
    std::vector<LabelledGame> expected = games_;
    for (LabelledGame& game : expected) {
        for (Ply& ply : game.line) ply.second_look = Score();
        game.result = GameResult::Unknown;
    }
    EXPECT_EQ(through(games_, "a", Format::Trees), expected);
}

TEST_F(RoundTrip, AnAbandonedExportLeavesNothingBehind) {
    for (const FormatInfo& info : formats()) {
        if (!info.can_export) continue;
        {
            auto sink = create_export((folder_ / "gone").string(), info.format);
            ASSERT_TRUE(sink) << info.name;
            ASSERT_TRUE((*sink)->write(games_[0]));
        }
        EXPECT_TRUE(std::filesystem::is_empty(folder_ / "")) << info.name;
    }
}

TEST_F(RoundTrip, ShardsAreReadInOrder) {
    const std::string first = (folder_ / "x-00000-of-00002.bag").string();
    // A game without a label makes an empty file, which is refused.
    std::vector<LabelledGame> games;
    for (const LabelledGame& game : games_) {
        if (!labelled_positions({game}).empty()) games.push_back(game);
    }
    ASSERT_GE(games.size(), 2u);
    for (const int shard : {0, 1}) {
        const std::string path = (folder_ / fmt::format("x-{:05}-of-00002.bag", shard)).string();
        auto sink = create_export(path, Format::Bag);
        ASSERT_TRUE(sink);
        ASSERT_TRUE((*sink)->write(games[static_cast<std::size_t>(shard)]));
        ASSERT_TRUE((*sink)->finish());
    }
    auto source = open_import({(folder_ / "x@2.bag").string()}, std::nullopt, 1);
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ(all_games(**source).size(), labelled_positions({games[0], games[1]}).size());
    std::filesystem::remove(first);
    EXPECT_FALSE(open_import({(folder_ / "x@2.bag").string()}, std::nullopt, 1));
}

TEST(DetectFormat, NamesTheWayOutWhereItCannotTell) {
    const TemporaryFolder folder;
    std::ofstream(folder / "x") << "what is this\n";
    const auto format = detect_format((folder / "x").string());
    ASSERT_FALSE(format);
    EXPECT_EQ(format.error().hint, "name it with --format");
}

}  // namespace
}  // namespace solis::data
