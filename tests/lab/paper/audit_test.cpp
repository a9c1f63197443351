// The paper's tables: copied right, and seen through.
#include "solis/lab/paper/audit.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace solis::lab {
namespace {

TEST(PublishedResults, AreComplete) {
    ASSERT_EQ(paper_columns().size(), 64u);
    std::set<std::string> names;
    int cells = 0;
    for (const PaperColumn& column : paper_columns()) {
        names.insert(name_of(column));
        for (const PaperCell& cell : column.cells) {
            if (cell.cap == 0) continue;
            ++cells;
            EXPECT_EQ(cell.wins + cell.draws + cell.losses, 100) << name_of(column);
        }
    }
    EXPECT_EQ(names.size(), 64u);
    EXPECT_EQ(cells, 416);
}

// Only wins-draws-losses gives the points that are printed beside the counts: 32 + 46/2 = 55.
TEST(PublishedResults, AreWinsDrawsLosses) {
    const PaperCell& first = paper_columns()[0].cells[0];
    EXPECT_EQ(first.cap, 1500);
    EXPECT_EQ(first.wins + first.draws / 2, 55);
}

TEST(PaperAudit, FindsTheRepeatedTablesOfBase) {
    for (const PaperColumn& column : paper_columns()) {
        EXPECT_EQ(is_repeated(column),
                  column.model == PaperModel::Base && column.scoring == Scoring::Anchored)
            << name_of(column);
    }
}

TEST(PaperAudit, NoColumnBehavesLikeElo) {
    const auto audit = audit_paper();
    ASSERT_TRUE(audit);
    ASSERT_EQ(audit->columns.size(), paper_columns().size());
    for (const AuditedColumn& column : audit->columns) {
        EXPECT_FALSE(ladder_warnings(column.fit, "x").empty()) << name_of(*column.column);
        EXPECT_LT(std::abs(column.elo - column.mean_cap), 55) << name_of(*column.column);
    }
}

// Found once with another program on the same tables: mean slope -0.9, chi-square 244 on 264 for a
// constant score and 2670 for the caps (variances of the model), caps 97 points of the model apart.
TEST(PaperAudit, AgreesWithAnIndependentCalculation) {
    const auto audit = audit_paper();
    ASSERT_TRUE(audit);
    EXPECT_EQ(audit->distinct_columns, 48u);
    EXPECT_NEAR(audit->mean_slope, -0.9, 0.1);
    EXPECT_NEAR(audit->mean_expected_slope, -13.9, 0.3);
    EXPECT_EQ(audit->constant.df, 264);
    // That calculation took the sample variance of 100 games as it is, without (n - 1) / (n - 3).
    EXPECT_NEAR(audit->constant.value * 99 / 97, 244, 2);
    EXPECT_GT(audit->as_rated.value, 2600);
    EXPECT_NEAR(audit->free_span, 97 * EloModel{}.scale(), 1);
}

}  // namespace
}  // namespace solis::lab
