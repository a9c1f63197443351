// The index of similar positions as a file.
#include <algorithm>
#include <cmath>

#include "solis/analysis/space/similar_index.h"
#include "solis/atlas/file/sealed_file.h"
#include "solis/atlas/points.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"

namespace solis::analysis {
namespace {

constexpr atlas::SealedKind kIndexFile{"SOLISSIM", 1, "index of similar positions"};
constexpr std::size_t kMostName = 1 << 16;
constexpr std::uint64_t kMostPlies = 1'000'000;

tl::unexpected<Error> senseless_index() {
    return fail("the index of similar positions makes no sense", "make it again");
}

bool read_moves(ByteReader& in, SimilarIndex::Game& game) {
    const auto start = chess::parse_fen(game.fen);
    const std::uint64_t count = in.varint();
    if (!start || !in.ok() || count > kMostPlies || 2 * count > in.remaining()) return false;
    chess::Position position = *start;
    for (std::uint64_t i = 0; i < count; ++i) {
        const chess::Move move = chess::Move::from_bits(in.number<std::uint16_t>());
        const chess::MoveList moves = chess::legal_moves(position);
        if (std::find(moves.begin(), moves.end(), move) == moves.end()) return false;
        position = position.after(move);
        game.moves.push_back(move.bits());
    }
    return true;
}

bool read_index_games(ByteReader& in, std::uint64_t count, SimilarIndex& index) {
    for (std::uint64_t i = 0; i < count; ++i) {
        SimilarIndex::Game game;
        if (!atlas::read_text(in, kMostName, game.name)) return false;
        if (!atlas::read_text(in, kMostName, game.fen)) return false;
        game.result = in.byte();
        if (game.result > 3 || !read_moves(in, game)) return false;
        index.games.push_back(std::move(game));
    }
    return in.ok();
}

}  // namespace

std::string to_index_file(const SimilarIndex& index) {
    Bytes out;
    atlas::append_text(out, index.space);
    atlas::append_text(out, index.source);
    append_varint(out, index.dims);
    append_varint(out, index.rows.size());
    append_varint(out, index.games.size());
    atlas::append_array(out, index.points);
    for (const PlayedPosition& row : index.rows) {
        append_little_endian(out, row.game);
        append_little_endian(out, row.ply);
    }
    for (const SimilarIndex::Game& game : index.games) {
        atlas::append_text(out, game.name);
        atlas::append_text(out, game.fen);
        out.push_back(game.result);
        append_varint(out, game.moves.size());
        for (const std::uint16_t move : game.moves) append_little_endian(out, move);
    }
    return atlas::seal(kIndexFile, out);
}

Result<SimilarIndex> parse_index_file(std::string_view bytes) {
    const auto payload = atlas::unseal(kIndexFile, bytes);
    if (!payload) return tl::unexpected(payload.error());
    ByteReader in(*payload);
    SimilarIndex index;
    if (!atlas::read_text(in, kMostName, index.space) ||
        !atlas::read_text(in, kMostName, index.source)) {
        return senseless_index();
    }
    const std::uint64_t dims = in.varint(), rows = in.varint(), games = in.varint();
    if (!in.ok() || dims == 0 || dims > atlas::kMaxDims || rows == 0 || rows > atlas::kMaxPoints) {
        return senseless_index();
    }
    index.dims = dims;
    std::vector<std::uint32_t> places;
    if (!atlas::read_array(in, rows * dims, index.points) ||
        !atlas::read_array(in, 2 * rows, places) || !read_index_games(in, games, index) ||
        in.remaining() != 0 ||
        !std::ranges::all_of(index.points, [](float value) { return std::isfinite(value); })) {
        return senseless_index();
    }
    for (std::size_t i = 0; i < places.size(); i += 2) {
        if (places[i] >= index.games.size()) return senseless_index();
        if (places[i + 1] > index.games[places[i]].moves.size()) return senseless_index();
        index.rows.push_back({places[i], places[i + 1]});
    }
    return index;
}

}  // namespace solis::analysis
