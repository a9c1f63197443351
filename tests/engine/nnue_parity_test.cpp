// The NNUE net against the engine it comes from: what `eval` prints for thousands of positions.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/engine/client/find_engine.h"
#include "solis/model/nnue/follower.h"
#include "solis/model/nnue/teacher_net.h"
#include "tests/base/temporary_folder.h"

namespace solis::engine {
namespace {

using chess::Position;

constexpr int kParityPositions = 2000;
constexpr double kPawn = 361;  // units

// One row of the engine's table: pawns of the side to move, two decimals.
struct ParityRow {
    double material, positional, total;
};
struct ParityTable {
    std::array<ParityRow, nn::kNnueStacks> rows{};
    double white = 0;  // the value of the stack in charge, from White's side
};

std::vector<Position> positions_of_random_games() {
    std::vector<Position> positions;
    for (std::uint64_t game = 0; positions.size() < kParityPositions; ++game) {
        Rng rng(Seed{game});
        Position position = Position::start();
        for (int ply = 0; ply < 300 && positions.size() < kParityPositions; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            position = position.after(moves[rng.below(moves.size())]);
            // The engine does not evaluate positions in check.
            if (!position.in_check()) positions.push_back(position);
        }
    }
    return positions;
}

// "+  0.30" and the like: sign and number may be apart.
double parse_pawns(std::string text) {
    std::erase(text, ' ');
    return std::atof(text.c_str());
}

// Reads the tables of all `eval` commands.
std::vector<ParityTable> read_tables(std::istream& in) {
    std::vector<ParityTable> tables;
    ParityTable table;
    for (std::string line; std::getline(in, line);) {
        if (line.size() > 4 && line.starts_with("|  ") && line[3] >= '0' && line[3] <= '7' &&
            line[4] == ' ') {
            std::stringstream columns(line.substr(4));
            std::array<std::string, 4> cells;
            for (std::string& cell : cells) std::getline(columns, cell, '|');
            table.rows[static_cast<std::size_t>(line[3] - '0')] = {
                parse_pawns(cells[1]), parse_pawns(cells[2]), parse_pawns(cells[3])};
        } else if (line.starts_with("NNUE evaluation ")) {
            table.white = std::atof(line.c_str() + std::string("NNUE evaluation ").size());
            tables.push_back(table);
        }
    }
    return tables;
}

class NnueParity : public testing::Test {
  protected:
    void SetUp() override {
        const auto path = find_stockfish();
        if (!path) GTEST_SKIP() << path.error().message;
        const auto net_file = folder_ / "net.nnue";
        run(*path, "export_net " + net_file.string() + "\n");
        auto net = model::load_teacher_net(net_file.string());
        if (!net) GTEST_SKIP() << "the installed engine's net: " << net.error().message;
        net_ = std::move(*net);
        std::string commands;
        for (const Position& position : positions_) {
            commands += "position fen " + chess::to_fen(position) + "\neval\n";
        }
        run(*path, commands);
        std::ifstream out(folder_ / "out");
        tables_ = read_tables(out);
    }

    // The engine quits at the end of its input.
    void run(const std::string& engine, const std::string& commands) {
        std::ofstream(folder_ / "in") << commands;
        const std::string command = "'" + engine + "' <'" + (folder_ / "in").string() + "' >'" +
                                    (folder_ / "out").string() + "'";
        ASSERT_EQ(std::system(command.c_str()), 0);
    }

    TemporaryFolder folder_;
    std::vector<Position> positions_ = positions_of_random_games();
    std::shared_ptr<const model::TeacherNet> net_;
    std::vector<ParityTable> tables_;
};

TEST_F(NnueParity, AllStacksEqualTheEnginesTableInEveryPosition) {
    ASSERT_EQ(tables_.size(), positions_.size());
    model::NnueFollower follower(net_->net);
    const auto state = std::make_unique<model::NnueState>();
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        const Position& position = positions_[i];
        follower.refresh(position, *state);
        // Half of the last decimal, and what truncation to the engine's units leaves.
        constexpr double kRounding = 0.005 + 1e-9;
        const int mover = index(position.side_to_move());
        for (std::size_t stack = 0; stack < nn::kNnueStacks; ++stack) {
            const nn::NnueValue value =
                net_->net.evaluate(state->sums[mover], state->sums[1 - mover], stack);
            const ParityRow& row = tables_[i].rows[stack];
            const auto pawns = [](std::int64_t sum) {
                return static_cast<double>(sum / nn::NnueValue::kOutputScale) / kPawn;
            };
            ASSERT_NEAR(pawns(value.material), row.material, kRounding) << to_fen(position);
            ASSERT_NEAR(pawns(value.positional), row.positional, kRounding) << to_fen(position);
        }
        const double mine = follower.value(*state, position).total() / kPawn;
        const double white = position.side_to_move() == chess::Color::White ? mine : -mine;
        ASSERT_NEAR(white, tables_[i].white, kRounding) << to_fen(position);
    }
}

}  // namespace
}  // namespace solis::engine
