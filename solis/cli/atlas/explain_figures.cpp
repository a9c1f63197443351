// Takes pieces away, moves them about and plays the moves, and embeds each result.
#include "solis/cli/atlas/explain_figures.h"

#include <algorithm>
#include <cmath>

#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"
#include "solis/chess/san.h"
#include "solis/chess/without_piece.h"

namespace solis::cli {
namespace {

// Positions that are embedded together, and their scores.
class ScoreBatch {
  public:
    std::size_t add(const chess::Position& position) {
        positions_.push_back(position);
        return positions_.size() - 1;
    }
    void embed(const SpaceModel& model, ThreadPool& pool) {
        dims_ = model.dims();
        z_ = model.embed(positions_, pool);
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            scores_.push_back(static_cast<double>(model.axis().score(z(i))));
        }
    }
    [[nodiscard]] std::span<const float> z(std::size_t i) const {
        return std::span(z_).subspan(i * dims_, dims_);
    }
    [[nodiscard]] double score(std::size_t i) const { return scores_[i]; }
    [[nodiscard]] const chess::Position& position(std::size_t i) const { return positions_[i]; }

  private:
    std::vector<chess::Position> positions_;
    std::vector<float> z_;
    std::vector<double> scores_;
    std::size_t dims_ = 0;
};

std::optional<chess::Position> with_piece_elsewhere(const chess::Position& position,
                                                    chess::Square from, int to) {
    chess::Setup setup = position.setup();
    setup.board[to] = setup.board[chess::index(from)];
    setup.board[chess::index(from)] = chess::Piece::None;
    setup.castling_rooks &= ~chess::bit(from);
    setup.en_passant = chess::Square::None;
    const auto moved = chess::Position::from(setup);
    return moved ? std::optional(*moved) : std::nullopt;
}

// Which rows of the batch belong to a piece.
struct PieceRows {
    ExplainedPiece piece;
    std::optional<std::size_t> without;
    std::vector<std::size_t> elsewhere;
};

std::vector<PieceRows> add_pieces(const chess::Position& position, ScoreBatch& batch) {
    std::vector<PieceRows> rows;
    for (int i = 0; i < 64; ++i) {
        const chess::Square square = chess::square_at(i);
        const chess::Piece piece = position.piece_on(square);
        if (piece == chess::Piece::None || type_of(piece) == chess::PieceType::King) continue;
        PieceRows row{{square, piece, {}, {}}, {}, {}};
        if (const auto rest = chess::without_piece(position, square))
            row.without = batch.add(*rest);
        for (int to = 0; to < 64; ++to) {
            if (position.piece_on(chess::square_at(to)) != chess::Piece::None) continue;
            if (const auto moved = with_piece_elsewhere(position, square, to)) {
                row.elsewhere.push_back(batch.add(*moved));
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

ExplainedPiece explained(const PieceRows& row, const ScoreBatch& batch, double score) {
    ExplainedPiece piece = row.piece;
    if (row.without) piece.worth = score - batch.score(*row.without);
    if (!row.elsewhere.empty()) {
        double sum = 0;
        for (const std::size_t i : row.elsewhere) sum += batch.score(i);
        piece.square_worth = score - sum / static_cast<double>(row.elsewhere.size());
    }
    return piece;
}

ExplainedMove explained_move(const chess::Position& position, chess::Move move, std::size_t row,
                             const ScoreBatch& batch, const SpaceModel& model, double before) {
    ExplainedMove result{chess::to_san(position, move), move, batch.score(row), 0, 0, false};
    result.win_probability = model.win_probability(batch.z(row), batch.position(row));
    if (const auto end = chess::outcome(batch.position(row), chess::Claims::Ignored)) {
        result.ends_game = true;
        result.win_probability = !end->winner                          ? 0.5
                                 : *end->winner == chess::Color::White ? 1.0
                                                                       : 0.0;
    }
    result.change = result.win_probability - before;
    return result;
}

}  // namespace

ExplainedPosition explain_position(const chess::Position& position, const SpaceModel& model,
                                   ThreadPool& pool) {
    ScoreBatch batch;
    const std::size_t self = batch.add(position);
    const std::vector<PieceRows> pieces = add_pieces(position, batch);
    std::vector<std::pair<chess::Move, std::size_t>> moves;
    for (const chess::Move move : chess::legal_moves(position)) {
        moves.emplace_back(move, batch.add(position.after(move)));
    }
    batch.embed(model, pool);
    ExplainedPosition result;
    result.score = batch.score(self);
    result.win_probability = model.win_probability(batch.z(self), position);
    result.axis_distance = std::sqrt(std::max(0.0, 1 - result.score * result.score));
    for (const PieceRows& row : pieces) {
        result.pieces.push_back(explained(row, batch, result.score));
    }
    for (const auto& [move, row] : moves) {
        result.moves.push_back(
            explained_move(position, move, row, batch, model, result.win_probability));
    }
    const double side = position.side_to_move() == chess::Color::White ? 1 : -1;
    std::ranges::stable_sort(result.moves, [&](const ExplainedMove& a, const ExplainedMove& b) {
        return a.win_probability != b.win_probability
                   ? side * a.win_probability > side * b.win_probability
                   : side * a.score > side * b.score;
    });
    return result;
}

}  // namespace solis::cli
