// Counting labelled games.
#include "solis/data/store/summary.h"

#include <algorithm>

#include "solis/data/store/game_hash.h"

namespace solis::data {
namespace {

void count_label(StoreSummary& summary, Score score, bool white_to_move) {
    if (score.is_none()) return;
    ++summary.labelled;
    if (score.is_mate()) ++summary.mates;
    const Score white = white_to_move ? score : score.negated();
    ++summary.white_p[probability_bin(white.win_probability())];
}

}  // namespace

std::size_t probability_bin(double p) {
    constexpr auto kBins = StoreSummary::kBins;
    const double scaled = std::clamp(p, 0.0, 1.0) * static_cast<double>(kBins);
    return std::min(static_cast<std::size_t>(scaled), kBins - 1);
}

void StoreSummary::add(const LabelledGame& game) {
    ++games;
    line_positions += game.line.size();
    branch_positions += game.branches.size();
    content_hash += game_hash(game);
    bool white_to_move = game.start.side_to_move() == chess::Color::White;
    auto branch = game.branches.begin();
    for (const Ply& ply : game.line) {
        count_label(*this, ply.score, white_to_move);
        if (!ply.second_look.is_none()) ++second_looks;
        for (const auto end = branch + ply.branch_count; branch != end; ++branch) {
            count_label(*this, branch->score, white_to_move != branch->second.is_none());
        }
        white_to_move = !white_to_move;
    }
}

StoreSummary& StoreSummary::operator+=(const StoreSummary& other) {
    games += other.games;
    line_positions += other.line_positions;
    branch_positions += other.branch_positions;
    labelled += other.labelled;
    second_looks += other.second_looks;
    mates += other.mates;
    content_hash += other.content_hash;
    for (std::size_t i = 0; i < kBins; ++i) white_p[i] += other.white_p[i];
    return *this;
}

}  // namespace solis::data
