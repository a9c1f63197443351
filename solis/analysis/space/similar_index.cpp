// Building and searching the index of similar positions.
#include "solis/analysis/space/similar_index.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::analysis {
namespace {

void add_game(SimilarIndex& index, const SeenGame& game, std::size_t most,
              std::vector<chess::Position>& positions) {
    SimilarIndex::Game entry{
        game.name, chess::to_fen(game.positions[0]), static_cast<std::uint8_t>(game.result), {}};
    for (const chess::Move move : game.moves) entry.moves.push_back(move.bits());
    const auto number = static_cast<std::uint32_t>(index.games.size());
    for (std::size_t ply = 0; ply < game.positions.size() && index.rows.size() < most; ++ply) {
        index.rows.push_back({number, static_cast<std::uint32_t>(ply)});
        positions.push_back(game.positions[ply]);
    }
    index.games.push_back(std::move(entry));
}

void embed_pending(SimilarIndex& index, std::vector<chess::Position>& pending,
                   const SpaceModel& model, ThreadPool& pool) {
    const std::vector<float> z = model.embed(pending, pool);
    index.points.insert(index.points.end(), z.begin(), z.end());
    pending.clear();
}

}  // namespace

chess::Position SimilarIndex::position(std::size_t row) const {
    const Game& game = games[rows[row].game];
    chess::Position position = *chess::parse_fen(game.fen);
    for (std::size_t i = 0; i < rows[row].ply; ++i) {
        position = position.after(chess::Move::from_bits(game.moves[i]));
    }
    return position;
}

chess::Move SimilarIndex::played(std::size_t row) const {
    const Game& game = games[rows[row].game];
    return rows[row].ply < game.moves.size() ? chess::Move::from_bits(game.moves[rows[row].ply])
                                             : chess::Move();
}

Result<SimilarIndex> build_similar_index(const std::string& input, std::size_t most,
                                         const SpaceModel& model, ThreadPool& pool,
                                         const Listener& listener) {
    constexpr std::size_t kBatch = 1 << 16;  // positions held until they are embedded
    SimilarIndex index;
    index.space = model.hash();
    index.source = file_fingerprint(input);
    index.dims = model.dims();
    std::vector<chess::Position> pending;
    bool stopped = false;
    const auto read = read_games(input, listener, [&](SeenGame&& game) {
        add_game(index, game, most, pending);
        if (pending.size() >= kBatch) embed_pending(index, pending, model, pool);
        stopped = !listener.goes_on("indexing", index.rows.size(), 0);
        return !stopped && index.rows.size() < most;
    });
    if (!read) return tl::unexpected(read.error());
    if (stopped) return atlas::interruption();
    embed_pending(index, pending, model, pool);
    if (index.rows.empty()) return fail(fmt::format("'{}' has no position", input));
    if (index.rows.size() >= most) {
        listener.warning(fmt::format("only the first {} positions are indexed", most));
    }
    return index;
}

std::string file_fingerprint(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) return {};
    const auto changed = std::filesystem::last_write_time(path, error).time_since_epoch().count();
    return fmt::format("{} {}", size, static_cast<long long>(changed));
}

std::vector<SimilarPosition> most_similar(const SimilarIndex& index, std::span<const float> point,
                                          std::size_t count, ThreadPool& pool) {
    constexpr std::size_t kBlock = 4096;
    std::vector<float> similarity(index.rows.size());
    pool.run((similarity.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
        const std::size_t end = std::min(similarity.size(), (block + 1) * kBlock);
        for (std::size_t i = block * kBlock; i < end; ++i) {
            similarity[i] =
                nn::dot(std::span(index.points).subspan(i * index.dims, index.dims), point);
        }
    });
    std::vector<std::uint32_t> order(similarity.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
        return similarity[a] != similarity[b] ? similarity[a] > similarity[b] : a < b;
    };
    std::vector<SimilarPosition> found;
    std::unordered_set<std::uint64_t> known;
    // More and more of the order, until enough different positions are among them.
    for (std::size_t sorted = 0; found.size() < count && sorted < order.size();) {
        const std::size_t end = std::min(order.size(), std::max<std::size_t>(64, 4 * sorted));
        std::partial_sort(order.begin() + static_cast<std::ptrdiff_t>(sorted),
                          order.begin() + static_cast<std::ptrdiff_t>(end), order.end(), nearer);
        for (; sorted < end && found.size() < count; ++sorted) {
            if (!known.insert(index.position(order[sorted]).key()).second) continue;
            found.push_back({static_cast<double>(similarity[order[sorted]]), order[sorted]});
        }
        sorted = end;
    }
    return found;
}

}  // namespace solis::analysis
