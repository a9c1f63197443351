// The nodes of the puct plan.
#include <gtest/gtest.h>

#include "solis/planner/puct/tree.h"

namespace solis::planner {
namespace {

PuctNode visited(std::uint32_t times) {
    PuctNode node;
    node.visits = times;
    return node;
}

TEST(PuctTree, KeepsNodesWhereTheyAreWhileItGrows) {
    PuctTree tree;
    tree.push_back(visited(0));
    const PuctNode* const first = &tree[0];
    constexpr std::uint32_t kMany = 100'000;
    for (std::uint32_t i = 1; i < kMany; ++i) tree.push_back(visited(i));
    EXPECT_EQ(tree.size(), kMany);
    EXPECT_EQ(&tree[0], first);
    for (std::uint32_t i = 0; i < kMany; ++i) ASSERT_EQ(tree[i].visits, i);
}

TEST(PuctTree, StartsAgainWithFreshNodes) {
    PuctTree tree;
    for (std::uint32_t i = 1; i <= 50; ++i) tree.push_back(visited(i));
    tree.restart();
    EXPECT_EQ(tree.size(), 0u);
    tree.push_back({});
    EXPECT_EQ(tree[0].visits, 0u);
    tree.clear();
    EXPECT_EQ(tree.size(), 0u);
}

}  // namespace
}  // namespace solis::planner
