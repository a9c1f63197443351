// Tests of planner/transposition_table.h.
#include "solis/planner/transposition_table.h"

#include <thread>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::planner {
namespace {

TableEntry random_entry(Rng& rng) {
    return {chess::Move::from_bits(static_cast<std::uint16_t>(rng.below(1 << 14))),
            static_cast<int>(rng.below(64'001)) - 32'000,
            static_cast<int>(rng.below(20'001)) - 10'000, static_cast<int>(rng.below(100)),
            static_cast<Bound>(rng.below(3))};
}

TEST(TranspositionTable, GivesBackWhatWasStored) {
    TranspositionTable table(1);
    Rng rng(Seed{1});
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t key = rng.next();
        const TableEntry entry = random_entry(rng);
        table.store(key, entry);
        const auto found = table.find(key);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->move, entry.move);
        EXPECT_EQ(found->value, entry.value);
        EXPECT_EQ(found->latent, entry.latent);
        EXPECT_EQ(found->depth, entry.depth);
        EXPECT_EQ(found->bound, entry.bound);
        EXPECT_FALSE(table.find(key ^ 1));
    }
    table.clear();
    EXPECT_EQ(table.permille_used(), 0);
}

TEST(TranspositionTable, PrefersDeepEntriesUntilTheyAreOld) {
    TranspositionTable table(1);
    const auto entry_of_depth = [](int depth) {
        TableEntry entry;
        entry.move = chess::Move(chess::Square::E2, chess::Square::E4);
        entry.depth = depth;
        return entry;
    };
    // The high bits choose the bucket: these keys share one.
    table.store(1, entry_of_depth(20));
    for (std::uint64_t key = 2; key < 40; ++key) table.store(key, entry_of_depth(2));
    EXPECT_TRUE(table.find(1));
    for (int plan = 0; plan < 4; ++plan) table.age();
    for (std::uint64_t key = 2; key < 40; ++key) table.store(key, entry_of_depth(2));
    EXPECT_FALSE(table.find(1));
}

TEST(TranspositionTable, KeepsTheMoveWhereTheNewEntryHasNone) {
    TranspositionTable table(1);
    TableEntry entry;
    entry.move = chess::Move(chess::Square::E2, chess::Square::E4);
    table.store(7, entry);
    entry.move = chess::Move();
    entry.depth = 3;
    table.store(7, entry);
    EXPECT_EQ(table.find(7)->move, chess::Move(chess::Square::E2, chess::Square::E4));
    EXPECT_EQ(table.find(7)->depth, 3);
}

TEST(TranspositionTable, MatesMoveWithTheDistanceToTheRoot) {
    EXPECT_EQ(from_table(to_table(mate_in(9), 4), 2), mate_in(7));
    EXPECT_EQ(from_table(to_table(mated_in(9), 4), 4), mated_in(9));
    EXPECT_EQ(to_table(1234, 10), 1234);
}

TEST(TranspositionTable, NeverMixesEntriesOfTwoThreads) {
    TranspositionTable table(1);
    // Every entry of a key can be told from its key.
    const auto entry_for = [](std::uint64_t key) {
        TableEntry entry;
        entry.value = static_cast<Value>(key % 30'000);
        entry.latent = -entry.value;
        entry.depth = static_cast<int>(key % 60);
        entry.move = chess::Move::from_bits(static_cast<std::uint16_t>(1 + key % 4000));
        return entry;
    };
    const auto work = [&](std::uint64_t seed) {
        Rng rng(Seed{seed});
        for (int i = 0; i < 50'000; ++i) {
            const std::uint64_t key = rng.below(64);  // one bucket for all
            if (const auto found = table.find(key)) {
                ASSERT_EQ(found->value, entry_for(key).value);
                ASSERT_EQ(found->latent, entry_for(key).latent);
            }
            table.store(key, entry_for(key));
        }
    };
    std::thread other(work, 1);
    work(2);
    other.join();
}

}  // namespace
}  // namespace solis::planner
