// The sampler with a teacher: fresh children in every epoch, and still one stream for one seed.
#include <algorithm>
#include <atomic>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/data/sampler.h"
#include "solis/data/store/writer.h"
#include "solis/data/taught_items.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/random_games.h"

namespace solis::data {
namespace {

// A verdict that nothing but the position decides, up to 1000 centipawns.
Score verdict_of(const chess::Position& position) {
    return Score::centipawns(static_cast<int>(position.key() % 2001) - 1000);
}

class FakeTeacher final : public Teacher {
  public:
    explicit FakeTeacher(std::uint64_t fingerprint = 1) : fingerprint_(fingerprint) {}
    std::unique_ptr<Judge> make_judge() const override {
        return std::make_unique<FakeJudge>(*this);
    }
    std::uint64_t fingerprint() const override { return fingerprint_; }

    mutable std::atomic<std::uint64_t> asked{0};

  private:
    class FakeJudge final : public Judge {
      public:
        explicit FakeJudge(const FakeTeacher& teacher) : teacher_(teacher) {}
        Score judge(const chess::Position& position) override {
            EXPECT_FALSE(label_by_rules(position));
            ++teacher_.asked;
            return verdict_of(position);
        }

      private:
        const FakeTeacher& teacher_;
    };

    std::uint64_t fingerprint_;
};

struct DrawnItem {
    std::uint64_t key;
    int score;
    PositionKind kind;
    friend bool operator==(const DrawnItem&, const DrawnItem&) = default;
};

class TaughtSampler : public testing::Test {
  protected:
    void SetUp() override { write(150); }
    void write(std::size_t games) {
        games_ = random_games(Seed{41}, games, 40);
        std::filesystem::remove(path());
        auto writer = StoreWriter::create(path(), {}, {.zstd_level = 1, .block_positions = 400});
        ASSERT_TRUE(writer);
        for (const LabelledGame& game : games_) ASSERT_TRUE(writer->append(game));
        ASSERT_TRUE(writer->close());
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "a.sgt"; }
    [[nodiscard]] static SamplerOptions taught(std::size_t threads = 1) {
        SamplerOptions options;
        options.seed = Seed{7};
        options.pool_items = 1000;
        options.teacher = std::make_shared<FakeTeacher>();
        options.teacher_threads = threads;
        return options;
    }
    [[nodiscard]] PositionSampler open(const SamplerOptions& options) const {
        auto sampler = PositionSampler::open({path()}, options);
        EXPECT_TRUE(sampler) << (sampler ? "" : sampler.error().message);
        return std::move(*sampler);
    }
    [[nodiscard]] static std::vector<DrawnItem> draw(PositionSampler& sampler, std::size_t count,
                                                     std::size_t batch = 1) {
        std::vector<DrawnItem> drawn;
        std::vector<Sample> samples(batch);
        while (drawn.size() < count) {
            EXPECT_TRUE(sampler.next(samples));
            for (const Sample& sample : samples) {
                drawn.push_back(
                    {sample.position.key(), sample.label.score.value(), sample.label.kind});
            }
        }
        drawn.resize(count);
        return drawn;
    }
    // Until the epoch ends; the first item of the next one is `ahead`.
    [[nodiscard]] static std::vector<Sample> draw_epoch(PositionSampler& sampler, Sample& ahead) {
        std::vector<Sample> drawn;
        const std::uint64_t epoch = sampler.state().epoch;
        while (true) {
            Sample sample;
            EXPECT_TRUE(sampler.next({&sample, 1}));
            if (sampler.state().epoch != epoch && sampler.state().offset == 1) {
                ahead = sample;
                return drawn;
            }
            drawn.push_back(sample);
        }
    }

    // All positions that are one move away from one of the games, and how many moves were played.
    [[nodiscard]] std::set<std::pair<std::uint64_t, int>> one_move_away() const {
        std::set<std::pair<std::uint64_t, int>> found;
        for (const LabelledGame& game : games_) {
            chess::Position position = game.start;
            for (std::size_t ply = 0; ply < game.line.size(); ++ply) {
                if (ply > 0) position = position.after(game.line[ply].move);
                for (const chess::Move move : chess::legal_moves(position)) {
                    const chess::Position child = position.after(move);
                    found.insert({child.key(), child.fullmove_number()});
                }
            }
        }
        return found;
    }

    TemporaryFolder folder_;
    std::vector<LabelledGame> games_;
};

std::multiset<std::uint64_t> keys_of(const std::vector<Sample>& samples, PositionKind kind) {
    std::multiset<std::uint64_t> keys;
    for (const Sample& sample : samples) {
        if (sample.label.kind == kind) keys.insert(sample.position.key());
    }
    return keys;
}

TEST_F(TaughtSampler, ChildrenAreAsManyPliesAwayAsIsAskedFor) {
    const auto near = one_move_away();
    for (const double share : {0.0, 1.0}) {
        SamplerOptions options = taught();
        options.children.two_ply_share = share;
        PositionSampler sampler = open(options);
        Sample ahead;
        std::size_t one_ply = 0, branches = 0;
        for (const Sample& sample : draw_epoch(sampler, ahead)) {
            if (sample.label.kind != PositionKind::Branch) continue;
            ++branches;
            one_ply += near.count({sample.position.key(), sample.position.fullmove_number()});
        }
        ASSERT_GT(branches, 1000u);
        // A reply is missing where the game ends with the move.
        EXPECT_NEAR(static_cast<double>(one_ply) / static_cast<double>(branches), 1 - share, 0.05);
    }
}

TEST_F(TaughtSampler, EachPositionOfALineComesOnceAnEpochWithOtherChildren) {
    std::set<std::uint64_t> lines;
    for (const LabelledGame& game : games_) {
        walk_positions(game, [&](const chess::Position& position, const PositionLabel& label) {
            if (label.kind == PositionKind::Line) lines.insert(position.key());
        });
    }
    PositionSampler sampler = open(taught());
    Sample ahead;
    const std::vector<Sample> first = draw_epoch(sampler, ahead);
    EXPECT_EQ(sampler.size(), first.size()) << "all games are in the sample";
    std::vector<Sample> second{ahead};
    for (const Sample& sample : draw_epoch(sampler, ahead)) second.push_back(sample);
    const std::multiset<std::uint64_t> expected(lines.begin(), lines.end());
    EXPECT_EQ(keys_of(first, PositionKind::Line), expected);
    EXPECT_EQ(keys_of(second, PositionKind::Line), expected);
    const auto a = keys_of(first, PositionKind::Branch), b = keys_of(second, PositionKind::Branch);
    EXPECT_GT(a.size(), lines.size() * 9 / 10) << "finished games have no children";
    EXPECT_EQ(a.size(), b.size());
    std::vector<std::uint64_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    EXPECT_LT(both.size(), a.size() / 3);
}

TEST_F(TaughtSampler, LabelsAreTheTeachersAndNotThoseOfTheStores) {
    PositionSampler sampler = open(taught());
    std::vector<Sample> samples(sampler.size());
    ASSERT_TRUE(sampler.next(samples));
    for (const Sample& sample : samples) {
        const Score expected =
            label_by_rules(sample.position).value_or(verdict_of(sample.position));
        EXPECT_EQ(sample.label.score, expected);
        EXPECT_TRUE(sample.label.second_look.is_none());
    }
}

TEST_F(TaughtSampler, NeitherThreadsNorBatchesNorPrefetchChangeTheStream) {
    SamplerOptions plain = taught();
    plain.prefetch = false;
    PositionSampler a = open(plain), b = open(taught(3));
    const std::size_t count = 2 * a.size() + 100;
    const auto expected = draw(a, count, 1);
    EXPECT_EQ(expected, draw(b, count, 64));
    SamplerOptions other = taught();
    other.seed = Seed{8};
    PositionSampler c = open(other);
    EXPECT_NE(expected, draw(c, count));
}

TEST_F(TaughtSampler, ResumedStreamEqualsUninterrupted) {
    PositionSampler whole = open(taught());
    const auto size = static_cast<std::ptrdiff_t>(whole.size());
    const auto expected = draw(whole, 3 * whole.size());
    for (const std::ptrdiff_t stop : {std::ptrdiff_t{0}, std::ptrdiff_t{1}, std::ptrdiff_t{1500},
                                      size - 1, size, size + 1, 2 * size - 300}) {
        PositionSampler before = open(taught());
        static_cast<void>(draw(before, static_cast<std::size_t>(stop)));
        PositionSampler after = open(taught(2));
        ASSERT_TRUE(after.restore(before.state()));
        EXPECT_EQ(draw(after, 500),
                  std::vector(expected.begin() + stop, expected.begin() + stop + 500))
            << "stopped at " << stop;
    }
}

TEST_F(TaughtSampler, StatesOfOtherTeachersOrOptionsAreRefused) {
    PositionSampler sampler = open(taught());
    SamplerOptions other = taught();
    other.teacher = std::make_shared<FakeTeacher>(2);
    const auto refused = open(other).restore(sampler.state());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "the saved position in the data comes with labels of another teacher");
    SamplerOptions none = taught();
    none.teacher = nullptr;
    EXPECT_FALSE(open(none).restore(sampler.state()));
    EXPECT_FALSE(sampler.restore(open(none).state()));
    other = taught();
    other.children.per_position = 2;
    EXPECT_FALSE(sampler.restore(open(other).state()));
    other = taught();
    other.filter.keep_decided = 0.5;
    EXPECT_FALSE(sampler.restore(open(other).state()));
    EXPECT_TRUE(sampler.restore(open(taught(2)).state())) << "threads may change";
}

TEST_F(TaughtSampler, FiltersHold) {
    SamplerOptions options = taught();
    options.filter.keep_decided = 0;
    options.filter.keep_unquiet = 0;
    options.filter.skip_in_check = true;
    PositionSampler sampler = open(options);
    std::vector<Sample> samples(2 * sampler.size());
    ASSERT_TRUE(sampler.next(samples));
    for (const Sample& sample : samples) {
        EXPECT_LE(std::abs(sample.label.score.value()), kDecided);
        EXPECT_TRUE(is_quiescent(sample.position));
    }
    options = taught();
    options.filter.keep_branches = 0;
    PositionSampler lines = open(options);
    std::vector<Sample> all(lines.size());
    ASSERT_TRUE(lines.next(all));
    for (const Sample& sample : all) EXPECT_EQ(sample.label.kind, PositionKind::Line);
}

TEST_F(TaughtSampler, NobodyAsksForWhatTheFilterLeavesOutAnyway) {
    const auto asked_with = [&](double keep_unquiet) {
        SamplerOptions options = taught();
        const auto teacher = std::make_shared<FakeTeacher>();
        options.teacher = teacher;
        options.filter.keep_unquiet = keep_unquiet;
        const PositionSampler sampler = open(options);
        return std::pair(teacher->asked.load(), sampler.size());
    };
    const auto [asked, size] = asked_with(1);
    const auto [asked_quiet, quiet] = asked_with(0);
    EXPECT_LT(quiet, size);
    EXPECT_LE(asked_quiet, quiet);
    EXPECT_LE(asked, size);
}

TEST_F(TaughtSampler, ASampleSaysHowLongAnEpochIs) {
    write(GameSample::kMost + 300);
    SamplerOptions options = taught();
    options.filter.keep_decided = 0.5;
    const auto teacher = std::make_shared<FakeTeacher>();
    options.teacher = teacher;
    PositionSampler sampler = open(options);
    Sample ahead;
    EXPECT_LT(teacher->asked.load(), sampler.size()) << "the survey does not label everything";
    const auto size = static_cast<double>(draw_epoch(sampler, ahead).size());
    EXPECT_NEAR(static_cast<double>(sampler.size()), size, size / 20);
}

TEST_F(TaughtSampler, SetsHoldThePlayedMoveAndRandomOnes) {
    SamplerOptions options = taught();
    options.children.per_position = 3;
    auto sampler = SiblingSampler::open({path()}, options);
    ASSERT_TRUE(sampler) << sampler.error().message;
    std::vector<SiblingSet> sets(2 * sampler->size());
    ASSERT_TRUE(sampler->next(sets));
    std::map<std::size_t, std::size_t> lines;
    for (const SiblingSet& set : sets) {
        ASSERT_GE(set.children.size(), 2U);
        ASSERT_LE(set.children.size(), 4U);
        std::size_t played = 0;
        for (const SiblingSet::Child& child : set.children) {
            played += child.kind == PositionKind::Line ? 1 : 0;
            const chess::Position end = set.position.after(child.move);
            EXPECT_EQ(child.score, label_by_rules(end).value_or(verdict_of(end)));
        }
        ++lines[played];
    }
    EXPECT_EQ(lines.count(2), 0U);
    EXPECT_GT(lines[1], 9 * lines[0]) << "only the last position of a game has no played move";
}

TEST_F(TaughtSampler, NothingLeftIsAnError) {
    SamplerOptions options = taught();
    options.filter.lines = options.filter.branches = false;
    EXPECT_FALSE(PositionSampler::open({path()}, options));
}

}  // namespace
}  // namespace solis::data
