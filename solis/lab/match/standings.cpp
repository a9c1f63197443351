// Counting games.
#include "solis/lab/match/standings.h"

#include <algorithm>
#include <numeric>

namespace solis::lab {
namespace {

// 0, 1, 2 for lost, drawn, won.
std::size_t slot_of(double points) { return static_cast<std::size_t>(2 * points + 0.5); }

void count_game(ScoreCount& count, double points) {
    (points > 0.75 ? count.wins : points > 0.25 ? count.draws : count.losses) += 1;
}

}  // namespace

Standings::Standings(std::vector<std::string> players, bool paired)
    : players_(std::move(players)),
      paired_(paired),
      scores_(players_.size() * players_.size()),
      faults_(players_.size()),
      thinking_(players_.size()) {}

std::size_t Standings::index_of(const std::string& name) const {
    return static_cast<std::size_t>(std::find(players_.begin(), players_.end(), name) -
                                    players_.begin());
}

void Standings::add(const GameRecord& game) {
    const std::size_t white = index_of(game.white), black = index_of(game.black);
    if (white == players_.size() || black == players_.size()) return;
    ++games_;
    fingerprints_.insert(fingerprint(game));
    ++endings_[static_cast<std::size_t>(game.ending)];
    if (game.at_fault) {
        const std::size_t guilty = *game.at_fault == chess::Color::White ? white : black;
        ++faults_[guilty][static_cast<std::size_t>(game.ending)];
    }
    const double points = white_points(game);
    count_game(white_, points);
    ++white_.singles[slot_of(points)];
    // Once, for the player with the lower number; score() turns it round.
    count_score(game.number, std::min(white, black), std::max(white, black),
                white < black ? points : 1 - points);
    count_thinking(game, white, black);
}

void Standings::count_score(std::uint64_t number, std::size_t player, std::size_t opponent,
                            double points) {
    ScoreCount& count = scores_[player * players_.size() + opponent];
    count_game(count, points);
    const auto partner = open_pairs_.find(number / 2);
    if (!paired_ || partner == open_pairs_.end()) {
        ++count.singles[slot_of(points)];
        if (paired_) open_pairs_.emplace(number / 2, points);
        return;
    }
    --count.singles[slot_of(partner->second)];
    ++count.pairs[slot_of(partner->second) + slot_of(points)];
    open_pairs_.erase(partner);
}

void Standings::count_thinking(const GameRecord& game, std::size_t white, std::size_t black) {
    const bool white_starts = game.start.side_to_move() == chess::Color::White;
    for (std::size_t i = game.book_plies; i < game.moves.size(); ++i) {
        const PlayedMove& move = game.moves[i];
        ThinkingStats& stats = thinking_[(i % 2 == 0) == white_starts ? white : black];
        ++stats.moves;
        stats.seconds += move.time_ms / 1000.0;
        stats.nodes += static_cast<double>(move.nodes);
        stats.depth += move.depth;
        stats.lag_ms += move.lag_ms;
        stats.worst_lag_ms = std::max(stats.worst_lag_ms, move.lag_ms);
    }
}

ScoreCount Standings::score(std::size_t player, std::size_t opponent) const {
    if (player < opponent) return scores_[player * players_.size() + opponent];
    return scores_[opponent * players_.size() + player].reversed();
}

ScoreCount Standings::score(std::size_t player) const {
    ScoreCount sum;
    for (std::size_t other = 0; other < players_.size(); ++other) {
        if (other != player) sum += score(player, other);
    }
    return sum;
}

std::uint64_t Standings::faults(std::size_t player) const {
    return std::accumulate(faults_[player].begin(), faults_[player].end(), std::uint64_t{0});
}

}  // namespace solis::lab
