// Syzygy tablebases. Tests of real tables run where SOLIS_SYZYGY names a folder with the 3- and
// 4-man tables; errors are tested everywhere.
#include "solis/chess/tablebase.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"
#include "solis/chess/uci_move.h"
#include "tests/base/temporary_folder.h"
#include "tests/chess/from_fen.h"

namespace solis::chess {
namespace {

namespace fs = std::filesystem;

class TablebaseFolder : public testing::Test {
  protected:
    void write(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
    }
    [[nodiscard]] std::string open_error() const {
        const auto tablebase = Tablebase::open(folder_.string());
        return tablebase ? "opened" : tablebase.error().message;
    }

    const TemporaryFolder temporary_;
    const fs::path& folder_ = temporary_.path();
};

TEST_F(TablebaseFolder, MissingAndEmptyFoldersAreNamed) {
    EXPECT_EQ(Tablebase::open("/nowhere/syzygy").error().message,
              "tablebase folder '/nowhere/syzygy' does not exist or is no folder");
    EXPECT_EQ(Tablebase::open(folder_.string() + ":/nowhere").error().message,
              "tablebase folder '/nowhere' does not exist or is no folder");
    EXPECT_EQ(Tablebase::open("").error().message, "no tablebase folder given");
    EXPECT_EQ(Tablebase::open("::").error().message, "no tablebase folder given");
    EXPECT_EQ(open_error(),
              fmt::format("no Syzygy tables (*.rtbw, *.rtbz) in '{}'", folder_.string()));
}

TEST_F(TablebaseFolder, FilesThatAreNoTablesAreRefusedBeforeTheyAreMapped) {
    const std::string refused =
        fmt::format("'{}' is not a complete Syzygy table", (folder_ / "KQvK.rtbw").string());
    for (const std::string& content :
         {std::string(), std::string("x"), std::string(80, 'x'), std::string("\x71\xE8\x23\x5D"),
          std::string("\x71\xE8\x23\x5D") + std::string(75, '\0')}) {
        write("KQvK.rtbw", content);
        EXPECT_EQ(open_error(), refused) << content.size() << " bytes";
    }
}

TEST_F(TablebaseFolder, AFailedOpenLeavesTheLibraryFree) {
    EXPECT_NE(open_error(), "opened");
    EXPECT_EQ(open_error().find("another tablebase"), std::string::npos);
}

class RealTables : public testing::Test {
  protected:
    void SetUp() override {
        const char* folder = std::getenv("SOLIS_SYZYGY");
        if (folder == nullptr) GTEST_SKIP() << "SOLIS_SYZYGY is not set";
        auto opened = Tablebase::open(folder);
        ASSERT_TRUE(opened) << opened.error().message;
        tablebase_.emplace(std::move(*opened));
    }

    std::optional<Tablebase> tablebase_;
};

TEST_F(RealTables, OnlyOneIsOpenAtATime) {
    EXPECT_EQ(Tablebase::open(std::getenv("SOLIS_SYZYGY")).error().message,
              "another tablebase is open already");
    tablebase_.reset();
    EXPECT_TRUE(Tablebase::open(std::getenv("SOLIS_SYZYGY")));
    EXPECT_TRUE(Tablebase::open(std::getenv("SOLIS_SYZYGY")));
}

TEST_F(RealTables, WdlIsForTheSideToMove) {
    EXPECT_GE(tablebase_->largest(), 4);
    EXPECT_EQ(tablebase_->probe_wdl(from_fen("4k3/8/8/8/8/8/8/4K2Q w - - 0 1")), Wdl::Win);
    EXPECT_EQ(tablebase_->probe_wdl(from_fen("4k3/8/8/8/8/8/8/4K2Q b - - 0 1")), Wdl::Loss);
    EXPECT_EQ(tablebase_->probe_wdl(from_fen("4k3/8/8/8/8/8/8/4K2N w - - 0 1")), Wdl::Draw);
    // The pawn is lost or wins depending on who moves.
    EXPECT_EQ(tablebase_->probe_wdl(from_fen("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1")), Wdl::Draw);
    EXPECT_EQ(tablebase_->probe_wdl(from_fen("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")), Wdl::Win);
}

TEST_F(RealTables, NoAnswerWithCastlingRightsClockOrTooManyPieces) {
    EXPECT_EQ(tablebase_->probe_wdl(from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), std::nullopt);
    EXPECT_EQ(tablebase_->probe_wdl(from_fen("4k3/8/8/8/8/8/8/4K2R w - - 1 1")), std::nullopt);
    EXPECT_EQ(tablebase_->probe_wdl(Position::start()), std::nullopt);
    EXPECT_TRUE(tablebase_->probe_root(from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")).empty());
    EXPECT_TRUE(tablebase_->probe_root(Position::start()).empty());
}

TEST_F(RealTables, RootKnowsEveryLegalMoveAndPutsTheBestFirst) {
    const Position position = from_fen("8/P7/8/8/8/2k5/8/K7 w - - 0 1");
    const std::vector<TablebaseMove> moves = tablebase_->probe_root(position);
    EXPECT_EQ(moves.size(), legal_moves(position).size());
    ASSERT_FALSE(moves.empty());
    EXPECT_EQ(moves.front().wdl, Wdl::Win);
    for (std::size_t i = 1; i < moves.size(); ++i) EXPECT_LE(moves[i].wdl, moves[i - 1].wdl);
    // Mate and stalemate have no moves.
    EXPECT_TRUE(tablebase_->probe_root(from_fen("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")).empty());
    EXPECT_TRUE(tablebase_->probe_root(from_fen("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1")).empty());
}

TEST_F(RealTables, EnPassantIsSeen) {
    const Position position = from_fen("8/8/8/8/1pP5/8/8/k1K5 b - c3 0 1");
    const std::vector<TablebaseMove> moves = tablebase_->probe_root(position);
    EXPECT_EQ(moves.size(), legal_moves(position).size());
    EXPECT_TRUE(std::any_of(moves.begin(), moves.end(), [](const TablebaseMove& m) {
        return m.move == Move::en_passant(Square::B4, Square::C3);
    }));
}

// Bishop and knight against the king needs up to 33 moves: any slip would exceed the clock.
TEST_F(RealTables, FirstMovesWinTheLongestMate) {
    Position position = from_fen("8/8/8/4k3/8/8/8/KBN5 w - - 0 1");
    ASSERT_EQ(tablebase_->probe_wdl(position), Wdl::Win);
    while (!outcome(position, Claims::Counted)) {
        const std::vector<TablebaseMove> moves = tablebase_->probe_root(position);
        ASSERT_FALSE(moves.empty()) << to_fen(position);
        position = position.after(moves.front().move);
    }
    EXPECT_EQ(outcome(position, Claims::Counted), (Outcome{Termination::Checkmate, Color::White}))
        << to_fen(position);
}

TEST_F(RealTables, TheClockTurnsAWinIntoACursedOne) {
    const std::string board = "8/8/8/4k3/8/8/8/KBN5 w - - ";
    EXPECT_EQ(tablebase_->probe_root(from_fen(board + "0 1")).front().wdl, Wdl::Win);
    EXPECT_EQ(tablebase_->probe_root(from_fen(board + "90 60")).front().wdl, Wdl::CursedWin);
}

TEST_F(RealTables, ThreadsMayProbeAtOnce) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([this] {
            for (int i = 0; i < 64; ++i) {
                chess::Setup setup;
                setup.board[index(Square::A1)] = Piece::WhiteKing;
                setup.board[index(Square::C1)] = Piece::WhiteRook;
                if (setup.board[i] != Piece::None) continue;
                setup.board[i] = Piece::BlackKing;
                const auto position = Position::from(setup);
                if (!position) continue;
                EXPECT_TRUE(tablebase_->probe_wdl(*position)) << to_fen(*position);
                EXPECT_FALSE(tablebase_->probe_root(*position).empty());
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace solis::chess
