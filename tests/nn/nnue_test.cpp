// The NNUE kernels against plain loops, and files that are not what they should be.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "tests/nn/random_nnue.h"

namespace solis::nn {
namespace {

constexpr std::size_t kFewInputs = 64;

// Some inputs, each at most once.
std::vector<int> random_inputs(Rng& rng, std::size_t count) {
    std::vector<int> inputs(kFewInputs);
    for (std::size_t i = 0; i < kFewInputs; ++i) inputs[i] = static_cast<int>(i);
    for (std::size_t i = 0; i < count; ++i) {
        std::swap(inputs[i], inputs[i + rng.below(kFewInputs - i)]);
    }
    inputs.resize(count);
    return inputs;
}

NnueChanges added(std::span<const int> inputs) {
    NnueChanges changes;
    for (const int input : inputs) changes.add(input);
    return changes;
}

bool same(const NnueAccumulator& a, const NnueAccumulator& b) {
    return a.sums == b.sums && a.psqt == b.psqt;
}

// Runs `body` once for every instruction set of this machine.
template <class Body>
void on_every_target(Body&& body) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        SCOPED_TRACE(hwy::TargetName(target));
        body();
    }
    hwy::SetSupportedTargetsForTest(0);
}

TEST(Nnue, KernelsEqualPlainLoopsOnEveryInstructionSet) {
    for (const int size : {3, 40, 32767}) {
        const NnueWeights weights = random_nnue(kFewInputs, size, Seed{7});
        const NnueNet net(weights);
        on_every_target([&] {
            Rng rng(Seed{8});
            for (std::size_t count = 1; count <= 32; ++count) {
                const std::vector<int> own = random_inputs(rng, count);
                const std::vector<int> other = random_inputs(rng, count);
                NnueAccumulator mine, theirs;
                net.update(net.empty(), added(own), mine);
                net.update(net.empty(), added(other), theirs);
                ASSERT_TRUE(same(mine, nnue_sums_reference(weights, own))) << count;
                ASSERT_TRUE(same(theirs, nnue_sums_reference(weights, other))) << count;
                for (std::size_t stack = 0; stack < kNnueStacks; ++stack) {
                    const NnueValue fast = net.evaluate(mine, theirs, stack);
                    const NnueValue slow = nnue_evaluate_reference(weights, mine, theirs, stack);
                    ASSERT_EQ(fast.material, slow.material) << size << " " << stack;
                    ASSERT_EQ(fast.positional, slow.positional) << size << " " << stack;
                }
            }
        });
    }
}

// The test above could pass with values that are all clamped to the same.
TEST(Nnue, RandomNetsGiveDifferentValues) {
    const NnueWeights weights = random_nnue(kFewInputs, 40, Seed{7});
    const NnueNet net(weights);
    Rng rng(Seed{9});
    std::vector<std::int64_t> values;
    for (int i = 0; i < 50; ++i) {
        NnueAccumulator view;
        net.update(net.empty(), added(random_inputs(rng, 12)), view);
        values.push_back(net.evaluate(view, net.empty(), 0).positional);
    }
    std::sort(values.begin(), values.end());
    EXPECT_GT(std::unique(values.begin(), values.end()) - values.begin(), 40);
}

TEST(Nnue, SumsFollowAnyNumberOfChanges) {
    const NnueWeights weights = random_nnue(kFewInputs, 40, Seed{3});
    const NnueNet net(weights);
    on_every_target([&] {
        for (std::size_t gone = 0; gone <= 4; ++gone) {
            for (std::size_t come = 0; come <= 4; ++come) {
                Rng rng(Seed{gone * 8 + come});
                const std::vector<int> all = random_inputs(rng, 20);
                const std::span<const int> before(all.data(), 16);
                const std::span<const int> after(all.data() + gone, 16 - gone + come);
                NnueAccumulator view = nnue_sums_reference(weights, before);
                NnueChanges changes;
                for (const int input : before.first(gone)) changes.remove(input);
                for (const int input : after.last(come)) changes.add(input);
                net.update(view, changes, view);
                EXPECT_TRUE(same(view, nnue_sums_reference(weights, after))) << gone << come;
            }
        }
    });
}

TEST(NnueFile, ComesBackFromItsBytes) {
    const NnueWeights weights = random_nnue(kFewInputs, 127, Seed{5});
    const std::string bytes = to_nnue(weights);
    const auto again = parse_nnue(bytes, kFewInputs);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(to_nnue(*again), bytes);
    EXPECT_EQ(again->description, "random");
    EXPECT_TRUE(looks_like_nnue(bytes));
}

TEST(NnueFile, IsRefusedWhenCutOffAnywhere) {
    const std::string bytes = to_nnue(random_nnue(1, 127, Seed{5}));
    for (std::size_t size = 0; size < bytes.size(); size += size < 100 ? 1 : 997) {
        EXPECT_FALSE(parse_nnue(std::string_view(bytes).substr(0, size), 1)) << size;
    }
    EXPECT_FALSE(parse_nnue(bytes + "x", 1));
    const auto cut = parse_nnue(std::string_view(bytes).substr(0, bytes.size() - 1), 1);
    EXPECT_NE(cut.error().message.find(std::to_string(bytes.size() - 18 - 1)), std::string::npos)
        << cut.error().message;
}

TEST(NnueFile, OtherArchitecturesAreRefusedByName) {
    std::string bytes = to_nnue(random_nnue(1, 127, Seed{5}));
    const std::string half_kp = "\xEE\xA6\x5A\x3E";
    bytes.replace(4, 4, half_kp);
    const auto refused = parse_nnue(bytes, 1);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("3E5AA6EE (HalfKP"), std::string::npos)
        << refused.error().message;
    EXPECT_NE(refused.error().message.find("'random'"), std::string::npos);
    EXPECT_NE(refused.error().hint.find("Stockfish 15.1"), std::string::npos);
}

TEST(NnueFile, SizesOutOfRangeAreRefused) {
    const std::string bytes = to_nnue(random_nnue(1, 127, Seed{5}));
    for (const char* length : {"\xFF\xFF\xFF\xFF", "\x00\x10\x01\x00", "\x07\x00\x00\x00"}) {
        std::string changed = bytes;
        changed.replace(8, 4, length, 4);
        EXPECT_FALSE(parse_nnue(changed, 1));
    }
    for (const int hash : {18, 18 + 4 + 2048 + 2080}) {
        std::string changed = bytes;
        changed[static_cast<std::size_t>(hash)] ^= 1;
        EXPECT_FALSE(parse_nnue(changed, 1)) << hash;
    }
}

TEST(NnueFile, ZerosAreRefusedBeforeTheyAreRead) {
    const std::string zeros(1 << 20, '\0');
    const auto refused = parse_nnue(zeros);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("not a net file"), std::string::npos);
}

}  // namespace
}  // namespace solis::nn
