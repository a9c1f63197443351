// The sampler: each wanted position once per epoch, in an order fixed by the seed, resumable.
#include "solis/data/sampler.h"

#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/data/store/key_filter.h"
#include "solis/data/store/writer.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/random_games.h"

namespace solis::data {
namespace {

class SamplerTest : public testing::Test {
  protected:
    void SetUp() override {
        games_ = random_games(Seed{41}, 150, 40);
        auto writer = StoreWriter::create(path(), {}, {.zstd_level = 1, .block_positions = 400});
        ASSERT_TRUE(writer);
        for (const LabelledGame& game : games_) ASSERT_TRUE(writer->append(game));
        ASSERT_TRUE(writer->close());
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "a.sgt"; }
    [[nodiscard]] PositionSampler open(const SamplerOptions& options) const {
        auto sampler = PositionSampler::open({path()}, options);
        EXPECT_TRUE(sampler) << (sampler ? "" : sampler.error().message);
        return std::move(*sampler);
    }
    [[nodiscard]] static std::vector<std::uint64_t> keys(PositionSampler& sampler,
                                                         std::size_t count,
                                                         std::size_t batch = 64) {
        std::vector<std::uint64_t> result;
        std::vector<Sample> samples(batch);
        while (result.size() < count) {
            EXPECT_TRUE(sampler.next(samples));
            for (const Sample& sample : samples) result.push_back(sample.position.key());
        }
        result.resize(count);
        return result;
    }

    TemporaryFolder folder_;
    std::vector<LabelledGame> games_;
};

const SamplerOptions kSmallPools{.seed = Seed{7}, .pool_items = 1000};

TEST_F(SamplerTest, AnEpochHoldsEachLabelledPositionOnce) {
    std::set<std::uint64_t> expected;
    std::uint64_t labelled = 0;
    for (const LabelledGame& game : games_) {
        walk_positions(game, [&](const chess::Position& position, const PositionLabel& label) {
            if (label.score.is_none()) return;
            expected.insert(position.key());
            ++labelled;
        });
    }
    PositionSampler sampler = open(kSmallPools);
    EXPECT_EQ(sampler.size(), expected.size());
    EXPECT_EQ(sampler.duplicates(), labelled - expected.size());
    EXPECT_GT(sampler.duplicates(), 0U);
    for (int epoch = 0; epoch < 2; ++epoch) {
        const auto drawn = keys(sampler, sampler.size(), 1);
        EXPECT_EQ(std::set(drawn.begin(), drawn.end()), expected) << "epoch " << epoch;
    }
}

TEST_F(SamplerTest, OrderDependsOnTheSeedNotOnThreadsOrBatches) {
    SamplerOptions plain = kSmallPools;
    plain.prefetch = false;
    PositionSampler a = open(kSmallPools), b = open(plain);
    const std::size_t count = 2 * a.size() + 100;
    const auto first = keys(a, count, 64);
    EXPECT_EQ(first, keys(b, count, 7));
    SamplerOptions other = kSmallPools;
    other.seed = Seed{8};
    PositionSampler c = open(other);
    EXPECT_NE(first, keys(c, count));
    const auto epoch_1 = std::vector(first.begin(), first.begin() + 1000);
    const auto epoch_2 = std::vector(first.begin() + static_cast<std::ptrdiff_t>(a.size()),
                                     first.begin() + static_cast<std::ptrdiff_t>(a.size()) + 1000);
    EXPECT_NE(epoch_1, epoch_2);
}

TEST_F(SamplerTest, ResumedStreamEqualsUninterrupted) {
    PositionSampler whole = open(kSmallPools);
    const auto size = static_cast<std::ptrdiff_t>(whole.size());
    const auto expected = keys(whole, 2 * whole.size(), 1);
    for (const std::ptrdiff_t stop : {std::ptrdiff_t{0}, std::ptrdiff_t{1}, std::ptrdiff_t{999},
                                      std::ptrdiff_t{1500}, size - 1, size, size + 1}) {
        PositionSampler before = open(kSmallPools);
        static_cast<void>(keys(before, static_cast<std::size_t>(stop), 1));
        PositionSampler after = open(kSmallPools);
        ASSERT_TRUE(after.restore(before.state()));
        EXPECT_EQ(after.state(), before.state());
        EXPECT_EQ(keys(after, 500, 1),
                  std::vector(expected.begin() + stop, expected.begin() + stop + 500))
            << "stopped at " << stop;
    }
}

TEST_F(SamplerTest, StateOfOtherDataOrOptionsIsRefused) {
    PositionSampler sampler = open(kSmallPools);
    SamplerOptions other = kSmallPools;
    other.seed = Seed{9};
    EXPECT_FALSE(sampler.restore(open(other).state()));
    other = kSmallPools;
    other.filter.branches = false;
    EXPECT_FALSE(sampler.restore(open(other).state()));
    SamplerState wild = sampler.state();
    wild.pool = 1'000'000;
    EXPECT_FALSE(sampler.restore(wild));
    wild = sampler.state();
    wild.offset = 1'000'000;
    EXPECT_FALSE(sampler.restore(wild));
}

TEST_F(SamplerTest, NeighboursInTheFileAreFarApartInTheStream) {
    std::map<std::uint64_t, std::size_t> game_of;
    for (std::size_t i = 0; i < games_.size(); ++i) {
        walk_positions(games_[i], [&](const chess::Position& position, const PositionLabel&) {
            game_of.emplace(position.key(), i);
        });
    }
    SamplerOptions one_pool = kSmallPools;
    one_pool.pool_items = 1'000'000;
    PositionSampler sampler = open(one_pool);
    const auto drawn = keys(sampler, sampler.size());
    std::size_t together = 0;
    for (std::size_t i = 1; i < drawn.size(); ++i) {
        if (game_of[drawn[i]] == game_of[drawn[i - 1]]) ++together;
    }
    EXPECT_LT(together, drawn.size() / 20);
}

TEST_F(SamplerTest, FiltersHold) {
    SamplerOptions options = kSmallPools;
    options.filter.min_score = 50;
    options.filter.max_score = 5000;
    options.filter.branches = false;
    options.filter.skip_in_check = true;
    PositionSampler sampler = open(options);
    std::vector<Sample> all(sampler.size());
    ASSERT_TRUE(sampler.next(all));
    for (const Sample& sample : all) {
        EXPECT_GE(std::abs(sample.label.score.value()), 50);
        EXPECT_LE(std::abs(sample.label.score.value()), 5000);
        EXPECT_EQ(sample.label.kind, PositionKind::Line);
        EXPECT_FALSE(sample.position.in_check());
    }
}

TEST_F(SamplerTest, AShareOfTheDecidedPositionsIsKeptAndAllOthers) {
    const auto count = [&](double keep, bool decided) {
        SamplerOptions options = kSmallPools;
        options.filter.keep_decided = keep;
        options.unique = false;  // a position may be decided once and not another time
        PositionSampler sampler = open(options);
        std::vector<Sample> all(sampler.size());
        EXPECT_TRUE(sampler.next(all));
        return std::count_if(all.begin(), all.end(), [&](const Sample& sample) {
            return (std::abs(sample.label.score.value()) > kDecided) == decided;
        });
    };
    ASSERT_GT(count(1, true), 50);
    EXPECT_EQ(count(0, true), 0);
    EXPECT_EQ(count(0, false), count(1, false));
    EXPECT_NEAR(static_cast<double>(count(0.5, true)) / static_cast<double>(count(1, true)), 0.5,
                0.2);
}

TEST(Sample, IsQuiescentWithoutCheckPromotionOrWinningCapture) {
    const auto is_quiescent_in = [](std::string_view fen) {
        return is_quiescent(chess::parse_fen(fen).value());
    };
    EXPECT_TRUE(is_quiescent(chess::Position::start()));
    // The queen would be lost for a guarded pawn, and wins one that is not.
    EXPECT_TRUE(is_quiescent_in("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1"));
    EXPECT_FALSE(is_quiescent_in("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1"));
    EXPECT_FALSE(is_quiescent_in("4k3/3P4/8/8/8/8/8/4K3 b - - 0 1"));  // check
    EXPECT_FALSE(is_quiescent_in("8/P7/8/4k3/8/8/8/4K3 w - - 0 1"));
}

TEST_F(SamplerTest, AShareOfTheUnquietPositionsIsKeptAndAllOthers) {
    const auto count = [&](double keep, bool quiescent) {
        SamplerOptions options = kSmallPools;
        options.filter.keep_unquiet = keep;
        PositionSampler sampler = open(options);
        std::vector<Sample> all(sampler.size());
        EXPECT_TRUE(sampler.next(all));
        return std::count_if(all.begin(), all.end(), [&](const Sample& sample) {
            return is_quiescent(sample.position) == quiescent;
        });
    };
    ASSERT_GT(count(1, false), 50);
    EXPECT_EQ(count(0, false), 0);
    EXPECT_EQ(count(0, true), count(1, true));
    EXPECT_NEAR(static_cast<double>(count(0.5, false)) / static_cast<double>(count(1, false)), 0.5,
                0.2);
}

TEST_F(SamplerTest, SecondLooksThatDisagreeAreLeftOut) {
    SamplerOptions options = kSmallPools;
    options.unique = false;
    const PositionSampler everything = open(options);
    options.filter.max_disagreement = 0.1;
    PositionSampler agreeing = open(options);
    EXPECT_LT(agreeing.size(), everything.size());
    std::vector<Sample> all(agreeing.size());
    ASSERT_TRUE(agreeing.next(all));
    for (const Sample& sample : all) {
        if (sample.label.second_look.is_none()) continue;
        EXPECT_NEAR(sample.mover_probability(), sample.label.second_look.win_probability(), 0.1);
    }
}

TEST_F(SamplerTest, SplitsShareNoGameAndCoverAll) {
    SamplerOptions options = kSmallPools;
    options.unique = false;
    options.shares = {300, 300};
    const std::uint64_t all = open(options).size();
    std::uint64_t sum = 0;
    for (const Split split : {Split::Train, Split::Validation, Split::Test}) {
        options.split = split;
        sum += open(options).size();
    }
    EXPECT_EQ(sum, all);
}

TEST_F(SamplerTest, WhiteAndMoverProbabilitiesAgree) {
    PositionSampler sampler = open(kSmallPools);
    std::vector<Sample> samples(500);
    ASSERT_TRUE(sampler.next(samples));
    for (const Sample& sample : samples) {
        const bool white = sample.position.side_to_move() == chess::Color::White;
        const double mover = sample.mover_probability();
        EXPECT_NEAR(sample.white_probability(), white ? mover : 1 - mover, 1e-12);
    }
}

TEST_F(SamplerTest, SiblingSetsHoldTheLabelledChildren) {
    SamplerOptions options = kSmallPools;
    options.filter.min_children = 3;
    auto sampler = SiblingSampler::open({path()}, options);
    ASSERT_TRUE(sampler);
    std::vector<SiblingSet> sets(sampler->size());
    ASSERT_TRUE(sampler->next(sets));
    for (const SiblingSet& set : sets) {
        ASSERT_GE(set.children.size(), 3U);
        std::set<std::uint16_t> moves;
        for (const auto& child : set.children) {
            EXPECT_TRUE(chess::is_legal(set.position, child.move));
            EXPECT_FALSE(child.score.is_none());
            EXPECT_TRUE(moves.insert(child.move.bits()).second) << "a child came twice";
        }
    }
}

TEST_F(SamplerTest, NothingLeftIsAnError) {
    SamplerOptions options = kSmallPools;
    options.filter.lines = options.filter.branches = false;
    EXPECT_FALSE(PositionSampler::open({path()}, options));
    EXPECT_FALSE(PositionSampler::open({path(), folder_ / "missing.sgt"}, kSmallPools));
}

TEST_F(SamplerTest, DamageStopsOrIsLeftOutAndReported) {
    const auto file = StoreFile::open(path());
    ASSERT_TRUE(file);
    const std::uint64_t before = open(kSmallPools).size();
    {
        const auto out = FileDescriptor::open(path(), 2 /* O_RDWR */);
        ASSERT_TRUE(out);
        ASSERT_EQ(::pwrite(out->get(), "xx", 2, static_cast<off_t>(file->blocks()[1].offset + 200)),
                  2);
    }
    const auto stopped = PositionSampler::open({path()}, kSmallPools);
    ASSERT_FALSE(stopped);
    EXPECT_NE(stopped.error().message.find(
                  fmt::format("'{}' is damaged, block 2 at byte {} ({} games)", path().string(),
                              file->blocks()[1].offset, file->blocks()[1].games)),
              std::string::npos)
        << stopped.error().message;
    SamplerOptions skip = kSmallPools;
    skip.on_damage = OnDamage::Skip;
    PositionSampler sampler = open(skip);
    EXPECT_EQ(sampler.report().bad_rows, 1U);
    EXPECT_EQ(sampler.report().lost_games, file->blocks()[1].games);
    EXPECT_LT(sampler.size(), before);
    EXPECT_EQ(keys(sampler, 100).size(), 100U);
}

TEST(KeyFilter, RemembersEveryKeyUntilTheMemoryIsUsedUp) {
    Rng rng(Seed{51});
    KeyFilter roomy(10'000, 1 << 20);
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t key = rng.next();
        EXPECT_TRUE(roomy.insert(key));
        EXPECT_FALSE(roomy.insert(key));
    }
    EXPECT_FALSE(roomy.is_full());
    KeyFilter tight(1'000'000, 4096);
    for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(tight.insert(rng.next()));
    EXPECT_TRUE(tight.is_full());
}

}  // namespace
}  // namespace solis::data
