// Drawing games, and positions from them.
#include "solis/studio/map/sample.h"

#include <algorithm>
#include <filesystem>
#include <queue>
#include <unordered_set>

#include <fmt/format.h>

#include "solis/chess/fen.h"

namespace solis::studio {
namespace {

using analysis::PlayedPosition;
using analysis::SeenGame;
using analysis::SimilarIndex;

// Games of a stream of unknown length, each equally likely, as many as give enough positions: every
// game draws a number, and those with the smallest numbers stay.
class GameReservoir {
  public:
    GameReservoir(std::size_t positions, Rng& rng) : positions_(positions), rng_(rng) {}

    void offer(SeenGame&& game) {
        seen_ += game.positions.size();
        held_ += game.positions.size();
        kept_.push({rng_.next(), std::move(game)});
        while (held_ - kept_.top().game.positions.size() >= positions_) {
            held_ -= kept_.top().game.positions.size();
            kept_.pop();
        }
    }
    [[nodiscard]] std::size_t seen() const { return seen_; }
    [[nodiscard]] std::vector<SeenGame> take() {
        std::vector<SeenGame> games;
        for (; !kept_.empty(); kept_.pop()) games.push_back(kept_.top().game);
        return games;
    }

  private:
    struct Drawn {
        std::uint64_t number;
        SeenGame game;
        friend bool operator<(const Drawn& a, const Drawn& b) { return a.number < b.number; }
    };

    std::size_t positions_;
    Rng& rng_;
    std::size_t seen_ = 0;
    std::size_t held_ = 0;
    std::priority_queue<Drawn> kept_;
};

std::vector<PlayedPosition> different_positions(const std::vector<SeenGame>& games) {
    std::vector<PlayedPosition> rows;
    std::unordered_set<std::uint64_t> known;
    for (std::size_t game = 0; game < games.size(); ++game) {
        for (std::size_t ply = 0; ply < games[game].positions.size(); ++ply) {
            if (!known.insert(games[game].positions[ply].key()).second) continue;
            rows.push_back({static_cast<std::uint32_t>(game), static_cast<std::uint32_t>(ply)});
        }
    }
    return rows;
}

// `count` of them, in the order of the games.
void draw_rows(std::vector<PlayedPosition>& rows, std::size_t count, Rng& rng) {
    if (rows.size() <= count) return;
    for (std::size_t i = 0; i < count; ++i) {
        std::swap(rows[i], rows[i + rng.below(rows.size() - i)]);
    }
    rows.resize(count);
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.game != b.game ? a.game < b.game : a.ply < b.ply;
    });
}

SimilarIndex::Game stored_game(const SeenGame& game) {
    SimilarIndex::Game stored{game.name,
                              chess::to_fen(game.positions.front()),
                              static_cast<std::uint8_t>(game.result),
                              {}};
    for (const chess::Move move : game.moves) stored.moves.push_back(move.bits());
    return stored;
}

Result<void> offer_all(GameReservoir& reservoir, const std::string& input, std::size_t positions,
                       const analysis::SpaceModel& player, Rng& rng,
                       const analysis::Listener& listener) {
    bool stopped = false;
    if (input.empty()) {
        while (reservoir.seen() < positions && !stopped) {
            reservoir.offer(analysis::generated_game(player, rng));
            stopped = !listener.goes_on("playing games", std::min(reservoir.seen(), positions),
                                        positions);
        }
    } else {
        const auto read = analysis::read_games(input, listener, [&](SeenGame&& game) {
            reservoir.offer(std::move(game));
            stopped = !listener.goes_on("reading games", reservoir.seen(), 0);
            return !stopped;
        });
        if (!read) return read;
    }
    if (stopped) return fail("interrupted");
    return {};
}

}  // namespace

std::vector<chess::Position> GameSample::positions() const {
    std::vector<chess::Position> result;
    std::size_t at = 0;
    while (at < rows.size()) {
        const SimilarIndex::Game& game = games[rows[at].game];
        chess::Position position = *chess::parse_fen(game.fen);
        const std::uint32_t number = rows[at].game;
        for (std::uint32_t ply = 0; at < rows.size() && rows[at].game == number; ++ply) {
            if (rows[at].ply == ply) {
                result.push_back(position);
                ++at;
            }
            if (ply < game.moves.size()) {
                position = position.after(chess::Move::from_bits(game.moves[ply]));
            }
        }
    }
    return result;
}

Result<GameSample> sample_games(const std::string& input, std::size_t count, Seed seed,
                                const analysis::SpaceModel& player,
                                const analysis::Listener& listener) {
    Rng rng(seed);
    // Twice as many positions as are wanted, so that no game is taken as a whole.
    const std::size_t positions = 2 * count;
    GameReservoir reservoir(positions, rng);
    if (auto ok = offer_all(reservoir, input, positions, player, rng, listener); !ok) {
        return tl::unexpected(ok.error());
    }
    const std::vector<SeenGame> games = reservoir.take();
    GameSample sample;
    sample.rows = different_positions(games);
    if (sample.rows.empty()) return fail(fmt::format("'{}' has no position", input));
    draw_rows(sample.rows, count, rng);
    for (const SeenGame& game : games) sample.games.push_back(stored_game(game));
    sample.source =
        input.empty() ? "generated games" : std::filesystem::path(input).filename().string();
    return sample;
}

}  // namespace solis::studio
