// Tests of lab/duel/spsa.h.
#include "solis/lab/duel/spsa.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::lab {
namespace {

std::vector<TunedNumber> two_numbers() { return {{"margin", 200, 20}, {"depth", 9, 1}}; }

// A pair of games whose odds fall with the distance from margin 120 and depth 6.
double play(const Spsa::Trial& trial, Rng& rng) {
    const auto strength = [](const std::vector<double>& v) {
        return -std::pow((v[0] - 120) / 60, 2) - std::pow((v[1] - 6) / 2, 2);
    };
    const double p = 1 / (1 + std::exp(strength(trial.b) - strength(trial.a)));
    return (rng.chance(p) ? 1.0 : 0.0) + (rng.chance(p) ? 1.0 : 0.0);
}

TEST(Spsa, FindsWhatWinsFromNoisyGames) {
    Spsa spsa(two_numbers(), {.trials = 3000, .rate = 0.05, .seed = 3});
    Rng rng(Seed{4});
    while (!spsa.is_over()) spsa.learn(play(spsa.next(), rng));
    EXPECT_NEAR(spsa.numbers()[0].value, 120, 25);
    EXPECT_NEAR(spsa.numbers()[1].value, 6, 1);
}

TEST(Spsa, TrialsLieOnBothSidesAndDrawsMoveNothing) {
    Spsa spsa(two_numbers(), {.trials = 100});
    const Spsa::Trial trial = spsa.next();
    EXPECT_DOUBLE_EQ(trial.a[0] + trial.b[0], 400);
    EXPECT_GE(std::abs(trial.a[0] - 200), 20) << "larger steps in the beginning";
    spsa.learn(1);
    EXPECT_DOUBLE_EQ(spsa.numbers()[0].value, 200);
    EXPECT_EQ(spsa.done(), 1u);
}

TEST(Spsa, TellsWhatEachNumberIsWorthWithoutMovingAny) {
    std::vector<TunedNumber> numbers = two_numbers();
    numbers.push_back({"idle", 50, 5});
    Spsa spsa(numbers, {.trials = 4000, .rate = 0, .seed = 3});
    EXPECT_EQ(spsa.effect(0).error, 0) << "no trial yet";
    Rng rng(Seed{4});
    while (!spsa.is_over()) spsa.learn(play(spsa.next(), rng));
    EXPECT_DOUBLE_EQ(spsa.numbers()[0].value, 200);
    // Both are too large by far; the third does nothing.
    EXPECT_LT(spsa.effect(0).elo, -3 * spsa.effect(0).error);
    EXPECT_LT(spsa.effect(1).elo, -3 * spsa.effect(1).error);
    EXPECT_LT(std::abs(spsa.effect(2).elo), 2 * spsa.effect(2).error);
    EXPECT_GT(spsa.effect(2).error, 347 * 1.96 * std::sqrt(0.5 / 4000)) << "of fair coins";
    EXPECT_LT(spsa.effect(2).error, 347 * 1.96 * std::sqrt(1.0 / 4000)) << "of pairs won or lost";
    // The state keeps all of it.
    const auto read = Spsa::from_json(spsa.to_json());
    ASSERT_TRUE(read);
    EXPECT_DOUBLE_EQ(read->effect(0).elo, spsa.effect(0).elo);
    EXPECT_DOUBLE_EQ(read->effect(0).error, spsa.effect(0).error);
}

TEST(Spsa, GoesOnAsIfItHadNeverStopped) {
    Spsa whole(two_numbers(), {.trials = 60, .seed = 9});
    Spsa stopped = whole;
    Rng rng(Seed{1}), again(Seed{1});
    for (int i = 0; i < 60; ++i) {
        whole.learn(play(whole.next(), rng));
        stopped.learn(play(stopped.next(), again));
        const auto read = Spsa::from_json(stopped.to_json());
        ASSERT_TRUE(read) << read.error().message;
        stopped = *read;
    }
    EXPECT_TRUE(stopped.is_over());
    EXPECT_EQ(stopped.to_json(), whole.to_json());
}

TEST(Spsa, RefusesWhatIsNoState) {
    for (const char* text : {"", "{", "[]", "{\"tuning\": \"spsa\"}", "{\"tuning\": 3}",
                             "{\"tuning\": \"spsa\", \"trials\": -1, \"seed\": 1, \"done\": 0, "
                             "\"rate\": 1, \"numbers\": []}",
                             "{\"tuning\": \"spsa\", \"trials\": 1, \"seed\": 1, \"done\": 0, "
                             "\"rate\": 1, \"numbers\": [{\"name\": 1}]}"}) {
        EXPECT_FALSE(Spsa::from_json(text)) << text;
    }
}

}  // namespace
}  // namespace solis::lab
