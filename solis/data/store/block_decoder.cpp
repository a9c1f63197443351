// Payload -> streams -> games, trusting nothing.
#include <memory>

#include <fmt/format.h>
#include <zstd.h>

#include "solis/data/formats/packed_position.h"
#include "solis/data/store/block_codec.h"
#include "solis/data/store/canonical_moves.h"
#include "solis/data/store/score_code.h"
#include "solis/data/store/shape_code.h"

namespace solis::data {
namespace {

struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// `budget` is what all streams together may still take.
Result<Bytes> read_stream(ByteReader& payload, ZSTD_DCtx* context, std::uint64_t& budget) {
    const std::uint64_t raw_size = payload.varint(), stored_size = payload.varint();
    if (raw_size > budget) return fail("the streams are larger than the format allows");
    budget -= raw_size;
    const ByteView stored = payload.bytes(stored_size);
    if (!payload.ok()) return fail("a stream is cut off");
    if (stored_size == raw_size) return Bytes(stored.begin(), stored.end());
    Bytes raw(raw_size);
    const std::size_t size =
        ZSTD_decompressDCtx(context, raw.data(), raw.size(), stored.data(), stored.size());
    if (ZSTD_isError(size)) return fail(fmt::format("zstd: {}", ZSTD_getErrorName(size)));
    if (size != raw_size) return fail("a stream has not the size it claims");
    return raw;
}

class BlockDecoder {
  public:
    explicit BlockDecoder(const Streams& streams) {
        readers_.reserve(kStreams);
        for (const Bytes& stream : streams) readers_.emplace_back(ByteView(stream));
    }

    [[nodiscard]] Result<void> read_game(LabelledGame& game) {
        if (auto ok = read_head(game); !ok) return ok;
        BitReader low_bits(reader(Stream::LowBits));
        chess::Position position = game.start;
        Score expected;
        for (std::size_t i = 0;; ++i) {
            Ply& ply = game.line[i];
            ply.score = read_score(expected, Stream::LineScores, low_bits);
            if (auto ok = read_shape(ply, low_bits); !ok) return ok;
            expected = ply.score.negated();
            const bool is_last = i + 1 == game.line.size();
            if (ply.branch_count == 0 && is_last) break;
            const CanonicalMoves moves(position);
            if (auto ok = read_branches(position, moves, ply, game, low_bits); !ok) return ok;
            if (is_last) break;
            const chess::Move played = read_move(moves, Stream::LineMoves);
            if (played.is_none()) return illegal();
            game.line[i + 1].move = played;
            position = position.after(played);
        }
        for (const ByteReader& r : readers_) {
            if (!r.ok()) return fail("a stream ends too early");
        }
        return {};
    }

    [[nodiscard]] bool used_up() const {
        for (const ByteReader& r : readers_) {
            if (r.remaining() != 0) return false;
        }
        return true;
    }

  private:
    [[nodiscard]] ByteReader& reader(Stream s, unsigned context = 0) {
        return readers_[static_cast<std::size_t>(s) + context];
    }
    [[nodiscard]] static tl::unexpected<Error> illegal() { return fail("a move is not legal"); }

    [[nodiscard]] Result<void> take_positions(std::uint64_t count) {
        if (count > positions_left_) return fail("more positions than a block may hold");
        positions_left_ -= count;
        return {};
    }

    [[nodiscard]] Result<void> read_head(LabelledGame& game) {
        const std::uint8_t head = reader(Stream::Games).byte();
        const std::uint64_t plies = reader(Stream::Games).varint();
        if (!reader(Stream::Games).ok()) return fail("fewer games than announced");
        if (plies >= kMaxGamePlies) return fail("a game is longer than the format allows");
        if (auto ok = take_positions(plies + 1); !ok) return ok;
        game.result = result_of_head(head);
        game.branches.clear();
        game.line.assign(plies + 1, Ply{});
        if (has_standard_start(head)) {
            game.start = chess::Position::start();
            return {};
        }
        auto start = read_packed(reader(Stream::Starts));
        if (!start) return tl::unexpected(start.error());
        game.start = *start;
        return {};
    }

    [[nodiscard]] Score read_score(Score expected, Stream first_context, BitReader& low_bits) {
        return decode_score(expected, reader(first_context, score_context(expected)), low_bits,
                            reader(Stream::MateDistances));
    }

    [[nodiscard]] Result<void> read_shape(Ply& ply, BitReader& low_bits) {
        const unsigned shape = reader(Stream::Shapes).byte();
        if (shape & kHasSecondLook) {
            ply.second_look = decode_score(ply.score, reader(Stream::SecondLooks), low_bits,
                                           reader(Stream::MateDistances));
        }
        lengths_ = {};
        if ((shape & kBranchMask) == kNoBranch) return {};
        single_length_ = shape & kBranchMask;
        ply.branch_count = 1;
        if ((shape & kBranchMask) == kListedBranches) {
            ByteReader& counts = reader(Stream::BranchCounts);
            const std::uint64_t count = counts.varint();
            lengths_ = counts.bytes(count);
            if (!counts.ok()) return fail("a list of branches is cut off");
            ply.branch_count = static_cast<std::uint32_t>(count);
        }
        return take_positions(ply.branch_count);
    }

    [[nodiscard]] Result<void> read_branches(const chess::Position& position,
                                             const CanonicalMoves& moves, const Ply& parent,
                                             LabelledGame& game, BitReader& low_bits) {
        for (std::uint32_t i = 0; i < parent.branch_count; ++i) {
            Branch branch;
            branch.first = read_move(moves, Stream::BranchMoves);
            if (branch.first.is_none()) return illegal();
            const unsigned length = lengths_.empty() ? single_length_ : lengths_[i];
            if (length == 1) {
                branch.score = read_score(parent.score.negated(), Stream::BranchScores, low_bits);
            } else {
                const chess::Position child = position.after(branch.first);
                const CanonicalMoves replies(child);
                branch.second = read_move(replies, Stream::ReplyMoves);
                if (branch.second.is_none()) return illegal();
                branch.score = read_score(parent.score, Stream::ReplyScores, low_bits);
            }
            game.branches.push_back(branch);
        }
        return {};
    }

    // None if the number is that of no legal move.
    [[nodiscard]] chess::Move read_move(const CanonicalMoves& moves, Stream s) {
        return moves.at(reader(s).byte());
    }

    std::vector<ByteReader> readers_;
    std::uint64_t positions_left_ = kMaxBlockPositions;
    ByteView lengths_;            // of the branches of the current position, if listed
    unsigned single_length_ = 1;  // of its only branch otherwise
};

}  // namespace

Result<void> decode_block(ByteView payload, std::vector<LabelledGame>& games) {
    const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
    ByteReader reader(payload);
    const std::uint64_t count = reader.varint();
    if (count > kMaxBlockPositions) return fail("more games than a block may hold");
    Streams streams;
    std::uint64_t budget = kMaxBlockBytes;
    for (Bytes& stream : streams) {
        auto raw = read_stream(reader, context.get(), budget);
        if (!raw) return tl::unexpected(raw.error());
        stream = std::move(*raw);
    }
    // Every game takes two bytes at least: a false count must not make us allocate.
    if (2 * count > streams[static_cast<std::size_t>(Stream::Games)].size()) {
        return fail("fewer games than announced");
    }
    BlockDecoder decoder(streams);
    games.resize(count);
    for (LabelledGame& game : games) {
        if (auto ok = decoder.read_game(game); !ok) return ok;
    }
    if (!decoder.used_up() || reader.remaining() != 0) return fail("bytes are left over");
    return {};
}

}  // namespace solis::data
