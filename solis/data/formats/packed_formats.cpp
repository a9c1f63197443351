// marlinformat and bulletformat records.
#include "solis/data/formats/packed_formats.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solis/data/formats/fields.h"
#include "solis/data/formats/packed_position.h"

namespace solis::data {
namespace {

using chess::Color;
using chess::Piece;
using chess::PieceType;
using chess::Square;

constexpr int kCastlingRook = 6;  // piece type of a rook that may still castle
constexpr int kNoEnPassant = 64;
constexpr std::size_t kNibbles = 8;  // offset of the pieces in both formats

// Offsets of marlinformat.
constexpr std::size_t kSideAndEnPassant = 24, kHalfmove = 25, kFullmove = 26, kMarlinScore = 28,
                      kMarlinResult = 30;
// Offsets of bulletformat.
constexpr std::size_t kBulletScore = 24, kBulletResult = 26, kOwnKing = 27, kOtherKing = 28;

Result<void> read_pieces(ByteView record, chess::Setup& setup) {
    if (record.size() != kPackedSize) {
        return fail(fmt::format("record of {} bytes, expected {}", record.size(), kPackedSize));
    }
    auto occupied = load_little_endian<std::uint64_t>(record.data());
    if (chess::count(occupied) > 32) {
        return fail(fmt::format("{} pieces on the board, at most 32", chess::count(occupied)));
    }
    for (std::size_t i = 0; occupied != 0; ++i) {
        const Square square = chess::pop_lowest(occupied);
        const int nibble = record[kNibbles + i / 2] >> (4 * (i % 2)) & 15;
        int type = nibble & 7;
        if (type == kCastlingRook) {
            setup.castling_rooks |= chess::bit(square);
            type = index(PieceType::Rook);
        }
        if (type > index(PieceType::King)) {
            return fail(fmt::format("unknown piece {} on {}", nibble, to_string(square)));
        }
        setup.board[index(square)] =
            chess::make_piece(static_cast<Color>(nibble >> 3), static_cast<PieceType>(type));
    }
    return {};
}

void append_pieces(Bytes& out, const chess::Position& position, chess::Bitboard castling_rooks) {
    chess::Bitboard occupied = position.pieces();
    append_little_endian(out, occupied);
    std::array<std::uint8_t, 16> pairs{};
    for (std::size_t i = 0; occupied != 0; ++i) {
        const Square square = chess::pop_lowest(occupied);
        const Piece piece = position.piece_on(square);
        const int type =
            contains(castling_rooks, square) ? kCastlingRook : index(chess::type_of(piece));
        const int nibble = index(chess::color_of(piece)) << 3 | type;
        pairs[i / 2] = static_cast<std::uint8_t>(pairs[i / 2] | nibble << (4 * (i % 2)));
    }
    out.insert(out.end(), pairs.begin(), pairs.end());
}

Result<Score> read_score(ByteView record, std::size_t at) {
    return score_from_number(
        static_cast<std::int16_t>(load_little_endian<std::uint16_t>(record.data() + at)));
}

// 0, 1, 2: loss, draw, win of White.
Result<GameResult> read_outcome(int outcome) {
    switch (outcome) {
        case 0:
            return GameResult::BlackWins;
        case 1:
            return GameResult::Draw;
        case 2:
            return GameResult::WhiteWins;
        default:
            return fail(fmt::format("result {}, expected 0, 1 or 2", outcome));
    }
}

std::uint8_t outcome_of(GameResult result) {
    if (result == GameResult::WhiteWins) return 2;
    return result == GameResult::BlackWins ? 0 : 1;
}

Result<LabelledPosition> finish(const chess::Setup& setup, Score score, int outcome) {
    auto position = chess::Position::from(setup);
    if (!position) return tl::unexpected(position.error());
    const auto result = read_outcome(outcome);
    if (!result) return tl::unexpected(result.error());
    return LabelledPosition{*position, score, *result};
}

RowFormat packed_rows(std::unique_ptr<ByteSource> source,
                      Result<LabelledPosition> (*read)(ByteView)) {
    const auto parse = [read](std::string_view row, LabelledGame& game) -> Result<bool> {
        const auto labelled = read(as_bytes(row));
        if (!labelled) return tl::unexpected(labelled.error());
        set_position(game, labelled->position, labelled->score);
        game.result = labelled->result;
        return true;
    };
    return {record_rows(std::move(source), kPackedSize), [parse] { return parse; }};
}

}  // namespace

Result<LabelledPosition> read_marlin(ByteView record) {
    chess::Setup setup;
    if (auto ok = read_pieces(record, setup); !ok) return tl::unexpected(ok.error());
    setup.side_to_move = static_cast<Color>(record[kSideAndEnPassant] >> 7);
    const int target = record[kSideAndEnPassant] & 127;
    if (target > kNoEnPassant) return fail(fmt::format("en-passant square {}", target));
    if (target != kNoEnPassant) setup.en_passant = chess::square_at(target);
    setup.halfmove_clock = record[kHalfmove];
    // Some generators count full moves from 0.
    setup.fullmove_number =
        std::max<int>(1, load_little_endian<std::uint16_t>(record.data() + kFullmove));
    const auto score = read_score(record, kMarlinScore);
    if (!score) return tl::unexpected(score.error());
    return finish(setup, seen_by(setup.side_to_move, *score), record[kMarlinResult]);
}

void append_marlin(Bytes& out, const LabelledPosition& labelled) {
    const chess::Position& position = labelled.position;
    append_pieces(out, position, position.castling_rooks());
    const Square target = position.en_passant();
    const int square = target == Square::None ? kNoEnPassant : index(target);
    out.push_back(static_cast<std::uint8_t>(index(position.side_to_move()) << 7 | square));
    out.push_back(static_cast<std::uint8_t>(std::min(position.halfmove_clock(), 255)));
    append_little_endian(out, static_cast<std::uint16_t>(position.fullmove_number()));
    append_score(out, seen_by(position.side_to_move(), labelled.score));
    out.push_back(outcome_of(labelled.result));
    out.push_back(0);
}

Result<LabelledPosition> read_bullet(ByteView record) {
    chess::Setup setup;
    if (auto ok = read_pieces(record, setup); !ok) return tl::unexpected(ok.error());
    if (setup.castling_rooks != 0) return fail("a castling rook, which bulletformat does not have");
    const auto score = read_score(record, kBulletScore);
    if (!score) return tl::unexpected(score.error());
    auto labelled = finish(setup, *score, record[kBulletResult]);
    if (!labelled) return labelled;
    const int own = index(labelled->position.king(Color::White));
    const int other = index(flip_rank(labelled->position.king(Color::Black)));
    if (record[kOwnKing] != own || record[kOtherKing] != other) {
        return fail(fmt::format("king squares {} and {}, the board says {} and {}",
                                record[kOwnKing], record[kOtherKing], own, other));
    }
    return labelled;
}

void append_bullet(Bytes& out, const LabelledPosition& labelled) {
    const bool black_moves = labelled.position.side_to_move() == Color::Black;
    const chess::Position position =
        black_moves ? labelled.position.color_flipped() : labelled.position;
    append_pieces(out, position, 0);
    append_score(out, labelled.score);
    const std::uint8_t outcome = outcome_of(labelled.result);
    out.push_back(black_moves ? static_cast<std::uint8_t>(2 - outcome) : outcome);
    out.push_back(static_cast<std::uint8_t>(index(position.king(Color::White))));
    out.push_back(static_cast<std::uint8_t>(index(flip_rank(position.king(Color::Black)))));
    out.insert(out.end(), 3, 0);
}

RowFormat marlin_rows(std::unique_ptr<ByteSource> source) {
    return packed_rows(std::move(source), read_marlin);
}

RowFormat bullet_rows(std::unique_ptr<ByteSource> source) {
    return packed_rows(std::move(source), read_bullet);
}

}  // namespace solis::data
