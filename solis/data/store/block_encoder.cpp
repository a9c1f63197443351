// Games -> streams -> payload.
#include <memory>
#include <span>

#include <fmt/format.h>
#include <zstd.h>

#include "solis/data/formats/packed_position.h"
#include "solis/data/store/block_codec.h"
#include "solis/data/store/canonical_moves.h"
#include "solis/data/store/score_code.h"
#include "solis/data/store/shape_code.h"

namespace solis::data {
namespace {

class GameEncoder {
  public:
    GameEncoder(const LabelledGame& game, Streams& out)
        : game_(game), out_(out), low_bits_(stream(Stream::LowBits)) {}

    [[nodiscard]] Result<void> run() {
        if (auto ok = check_size(); !ok) return ok;
        put_head();
        chess::Position position = game_.start;
        Score expected;
        const Branch* branches = game_.branches.data();
        for (std::size_t i = 0; i < game_.line.size(); ++i) {
            const Ply& ply = game_.line[i];
            put_score(ply.score, expected, Stream::LineScores);
            const std::span own(branches, ply.branch_count);
            branches += ply.branch_count;
            put_shape(ply, own);
            expected = ply.score.negated();
            const bool is_last = i + 1 == game_.line.size();
            if (own.empty() && is_last) break;
            const CanonicalMoves moves(position);
            if (auto ok = put_branches(position, moves, ply.score, own); !ok) return ok;
            if (is_last) break;
            const chess::Move played = game_.line[i + 1].move;
            if (auto ok = put_move(moves, played, Stream::LineMoves, i + 1); !ok) return ok;
            position = position.after(played);
        }
        low_bits_.finish();
        return {};
    }

  private:
    [[nodiscard]] Bytes& stream(Stream s, unsigned context = 0) {
        return out_[static_cast<std::size_t>(s) + context];
    }

    [[nodiscard]] Result<void> check_size() const {
        if (game_.line.empty()) return fail("a game without its start position");
        if (!game_.line[0].move.is_none()) return fail("a move before the start position");
        std::size_t branches = 0;
        for (const Ply& ply : game_.line) branches += ply.branch_count;
        if (branches != game_.branches.size()) {
            return fail(
                fmt::format("{} branches announced, {} given", branches, game_.branches.size()));
        }
        if (game_.line.size() > kMaxGamePlies || game_.line.size() + branches > kMaxGamePositions) {
            return fail(fmt::format("a game of {} plies and {} branches is larger than a store "
                                    "takes ({} plies, {} positions)",
                                    game_.line.size(), branches, kMaxGamePlies, kMaxGamePositions),
                        "cut it into stretches");
        }
        return {};
    }

    void put_head() {
        const bool standard = game_.start == chess::Position::start();
        stream(Stream::Games).push_back(game_head(game_.result, standard));
        append_varint(stream(Stream::Games), game_.line.size() - 1);
        if (!standard) append_packed(stream(Stream::Starts), game_.start);
    }

    void put_score(Score score, Score expected, Stream first_context) {
        encode_score(score, expected, stream(first_context, score_context(expected)), low_bits_,
                     stream(Stream::MateDistances));
    }

    void put_shape(const Ply& ply, std::span<const Branch> branches) {
        append_shape(!ply.second_look.is_none(), branches, stream(Stream::Shapes),
                     stream(Stream::BranchCounts));
        if (ply.second_look.is_none()) return;
        encode_score(ply.second_look, ply.score, stream(Stream::SecondLooks), low_bits_,
                     stream(Stream::MateDistances));
    }

    [[nodiscard]] Result<void> put_branches(const chess::Position& position,
                                            const CanonicalMoves& moves, Score parent,
                                            std::span<const Branch> branches) {
        for (const Branch& branch : branches) {
            const std::size_t ply = game_.line.size();
            if (auto ok = put_move(moves, branch.first, Stream::BranchMoves, ply); !ok) return ok;
            if (branch.second.is_none()) {
                put_score(branch.score, parent.negated(), Stream::BranchScores);
                continue;
            }
            const chess::Position child = position.after(branch.first);
            const CanonicalMoves replies(child);
            if (auto ok = put_move(replies, branch.second, Stream::ReplyMoves, ply); !ok) return ok;
            put_score(branch.score, parent, Stream::ReplyScores);
        }
        return {};
    }

    [[nodiscard]] Result<void> put_move(const CanonicalMoves& moves, chess::Move move, Stream s,
                                        std::size_t ply) {
        const auto number = moves.number_of(move);
        if (!number) {
            return fail(fmt::format("move {}{} at ply {} is not legal", to_string(move.from()),
                                    to_string(move.to()), ply));
        }
        stream(s).push_back(*number);
        return {};
    }

    const LabelledGame& game_;
    Streams& out_;
    BitWriter low_bits_;
};

struct FreeCompressor {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

// Size, stored size and content; stored as it is where compression does not help.
void append_stream(Bytes& payload, ZSTD_CCtx* context, const Bytes& raw, int level) {
    Bytes packed(ZSTD_compressBound(raw.size()));
    const std::size_t size =
        ZSTD_compressCCtx(context, packed.data(), packed.size(), raw.data(), raw.size(), level);
    const bool helps = !ZSTD_isError(size) && size < raw.size();
    const ByteView content = helps ? ByteView(packed).first(size) : ByteView(raw);
    append_varint(payload, raw.size());
    append_varint(payload, content.size());
    payload.insert(payload.end(), content.begin(), content.end());
}

}  // namespace

Result<void> BlockEncoder::add(const LabelledGame& game) {
    for (Bytes& stream : scratch_) stream.clear();
    if (auto ok = GameEncoder(game, scratch_).run(); !ok) return ok;
    for (std::size_t i = 0; i < kStreams; ++i) {
        streams_[i].insert(streams_[i].end(), scratch_[i].begin(), scratch_[i].end());
    }
    summary_.add(game);
    return {};
}

Bytes BlockEncoder::finish(int zstd_level) {
    const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
    Bytes payload;
    append_varint(payload, summary_.games);
    for (Bytes& stream : streams_) {
        append_stream(payload, context.get(), stream, zstd_level);
        stream.clear();
    }
    summary_ = {};
    return payload;
}

}  // namespace solis::data
