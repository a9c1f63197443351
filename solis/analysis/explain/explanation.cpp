// Takes pieces away, moves them about and plays the moves, and embeds each result.
#include "solis/analysis/explain/explanation.h"

#include <algorithm>
#include <cmath>

#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"
#include "solis/chess/san.h"
#include "solis/chess/without_piece.h"

namespace solis::analysis {
namespace {

// Positions that are embedded together, and their scores.
class ScoreBatch {
  public:
    std::size_t add(const chess::Position& position) {
        positions_.push_back(position);
        return positions_.size() - 1;
    }
    // A model without embeddings has its score as the only coordinate.
    void embed(const model::LoadedModel& model, model::Evaluator& evaluator) {
        dims_ = model.dims();
        z_.resize(positions_.size() * dims_);
        if (model.embeds()) {
            evaluator.embed(positions_, z_);
        } else {
            evaluator.score(positions_, z_);
        }
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

std::vector<PieceRows> add_pieces(const chess::Position& position, bool squares,
                                  ScoreBatch& batch) {
    std::vector<PieceRows> rows;
    for (int i = 0; i < 64; ++i) {
        const chess::Square square = chess::square_at(i);
        const chess::Piece piece = position.piece_on(square);
        if (piece == chess::Piece::None || type_of(piece) == chess::PieceType::King) continue;
        PieceRows row{{square, piece, {}, {}}, {}, {}};
        if (const auto rest = chess::without_piece(position, square))
            row.without = batch.add(*rest);
        for (int to = 0; squares && to < 64; ++to) {
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

// White's win probability by the encoder in charge, or by the rules.
double probability_of(const ScoreBatch& batch, std::size_t row, const model::LoadedModel& model,
                      model::Evaluator& evaluator, bool& by_rules) {
    const chess::Position& position = batch.position(row);
    if (const auto end = chess::outcome(position, chess::Claims::Ignored)) {
        by_rules = true;
        return !end->winner ? 0.5 : *end->winner == chess::Color::White ? 1 : 0;
    }
    const bool ending = model.has_ending(position);
    const float score = ending ? evaluator.score(position) : static_cast<float>(batch.score(row));
    return model.win_probability(score, position);
}

void sort_for_mover(std::vector<ExplainedMove>& moves, chess::Color mover) {
    const double side = mover == chess::Color::White ? 1 : -1;
    std::ranges::stable_sort(moves, [&](const ExplainedMove& a, const ExplainedMove& b) {
        return a.win_probability != b.win_probability
                   ? side * a.win_probability > side * b.win_probability
                   : side * a.score > side * b.score;
    });
}

}  // namespace

Explanation explain(const chess::Position& position, const model::LoadedModel& model,
                    const ExplainOptions& options) {
    ScoreBatch batch;
    const std::size_t self = batch.add(position);
    const std::vector<PieceRows> pieces = add_pieces(position, options.squares, batch);
    std::vector<std::pair<chess::Move, std::size_t>> moves;
    for (const chess::Move move : chess::legal_moves(position)) {
        if (options.moves) moves.emplace_back(move, batch.add(position.after(move)));
    }
    const auto evaluator = model.make_evaluator();
    evaluator->use_threads(options.threads);
    batch.embed(model, *evaluator);
    Explanation result;
    bool over = false;
    result.score = batch.score(self);
    result.anchored_score = static_cast<double>(model.axis().anchored_score(batch.z(self)));
    result.win_probability = probability_of(batch, self, model, *evaluator, over);
    if (model.has_ending(position)) {
        result.ending_score = static_cast<double>(evaluator->score(position));
    }
    result.axis_distance = std::sqrt(std::max(0.0, 1 - result.score * result.score));
    for (const PieceRows& row : pieces) {
        result.pieces.push_back(explained(row, batch, result.score));
    }
    for (const auto& [move, row] : moves) {
        ExplainedMove entry{chess::to_san(position, move), move, batch.score(row), 0, 0, false};
        entry.win_probability = probability_of(batch, row, model, *evaluator, entry.ends_game);
        entry.change = entry.win_probability - result.win_probability;
        result.moves.push_back(std::move(entry));
    }
    sort_for_mover(result.moves, position.side_to_move());
    return result;
}

}  // namespace solis::analysis
