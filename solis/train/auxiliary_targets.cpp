// Targets of the auxiliary loss, from the rules of chess and from a teacher.
#include "solis/train/auxiliary_targets.h"

#include <limits>

#include "solis/chess/attacks.h"
#include "solis/chess/movegen.h"
#include "solis/chess/without_piece.h"
#include "solis/data/inputs/tokenizer.h"
#include "solis/model/open.h"

namespace solis::train {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::PieceType;
using chess::Position;
using chess::Square;

constexpr std::size_t kKinds = 6;                    // of pieces, for each side
constexpr std::size_t kPieceValueTask = 2 * kKinds;  // the task behind the attacks
// What the best move of its own side from a square gains, what the mover's best move to it gains,
// and what the opponent's best one would, if he were to move.
constexpr std::size_t kMoveFromTask = kPieceValueTask + 1;
constexpr std::size_t kMoveToTask = kMoveFromTask + 1;
constexpr std::size_t kThreatToTask = kMoveToTask + 1;
static_assert(kThreatToTask < nn::kAuxiliaryTasks);
constexpr std::size_t kRows = data::kTokenCount + 1;
// Of differences of the teacher's score: makes the targets about as large as 1.
constexpr float kScoreScale = 5;

// Behind CLS and the side to move, in the order of the tokens: a8 to h1.
std::size_t row_of_square(Square square) {
    return 2 + static_cast<std::size_t>((7 - chess::rank_of(square)) * 8 + chess::file_of(square));
}

Bitboard attacked_by(const Position& position, Color side, PieceType type) {
    Bitboard attacked = 0;
    for (Bitboard pieces = position.pieces(side, type); pieces != 0;) {
        const Square square = chess::pop_lowest(pieces);
        attacked |= type == PieceType::Pawn ? chess::pawn_attacks(side, square)
                                            : chess::piece_attacks(type, square, position.pieces());
    }
    return attacked;
}

}  // namespace

AuxiliaryTargets::AuxiliaryTargets(const AuxiliaryConfig& config,
                                   std::shared_ptr<const model::LoadedModel> teacher)
    : weight_(config.weight),
      moves_(config.moves),
      teacher_(std::move(teacher)),
      evaluator_(teacher_ != nullptr ? teacher_->make_evaluator() : nullptr) {}

Result<std::unique_ptr<AuxiliaryTargets>> AuxiliaryTargets::open(const TrainConfig& config) {
    std::shared_ptr<const model::LoadedModel> teacher;
    if (!config.auxiliary.teacher.empty()) {
        auto prepared =
            model::open(config.auxiliary.teacher == "default" ? "" : config.auxiliary.teacher);
        if (!prepared) return fail_in("the teacher", prepared.error());
        teacher = std::move(*prepared);
    }
    return std::unique_ptr<AuxiliaryTargets>(
        new AuxiliaryTargets(config.auxiliary, std::move(teacher)));
}

// Attacks, piece values and moves are each a mean over the board, and all over the batch.
nn::AuxiliaryTasks AuxiliaryTargets::tasks(std::size_t batch) const {
    nn::AuxiliaryTasks tasks{};
    const double weight = weight_ / static_cast<double>(batch);
    for (std::size_t q = 0; q < kPieceValueTask; ++q) {
        tasks[q] = {true, static_cast<float>(weight / (64 * kPieceValueTask))};
    }
    if (teacher_ == nullptr) return tasks;
    tasks[kPieceValueTask] = {false, static_cast<float>(weight / 32)};
    for (const std::size_t q : {kMoveFromTask, kMoveToTask, kThreatToTask}) {
        tasks[q] = {false, static_cast<float>(weight * moves_ / 32)};
    }
    return tasks;
}

std::vector<float> AuxiliaryTargets::targets(std::span<const Position> positions) {
    constexpr std::size_t kPerPosition = kRows * nn::kAuxiliaryTasks;
    std::vector<float> all(positions.size() * kPerPosition,
                           std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        float* const rows = all.data() + i * kPerPosition;
        add_attacks(positions[i], rows);
        // Scores of two encoders cannot be compared: where that for endings is in charge nothing is
        // said.
        if (teacher_ == nullptr || teacher_->has_ending(positions[i])) continue;
        const float score = evaluator_->score(positions[i]);
        add_piece_values(positions[i], score, rows);
        if (moves_ > 0) add_moves(positions[i], score, rows);
    }
    return all;
}

void AuxiliaryTargets::add_attacks(const Position& position, float* rows) const {
    for (std::size_t q = 0; q < kPieceValueTask; ++q) {
        const Color side = q < kKinds ? Color::White : Color::Black;
        const Bitboard attacked = attacked_by(position, side, static_cast<PieceType>(q % kKinds));
        for (int s = 0; s < 64; ++s) {
            const Square square = chess::square_at(s);
            rows[row_of_square(square) * nn::kAuxiliaryTasks + q] =
                (attacked & chess::bit(square)) != 0 ? 1.0f : 0.0f;
        }
    }
}

void AuxiliaryTargets::add_piece_values(const Position& position, float score, float* rows) {
    const Bitboard kings = position.pieces(PieceType::King);
    for (Bitboard pieces = position.pieces() & ~kings; pieces != 0;) {
        const Square square = chess::pop_lowest(pieces);
        const auto rest = chess::without_piece(position, square);
        if (!rest || teacher_->has_ending(*rest)) continue;
        rows[row_of_square(square) * nn::kAuxiliaryTasks + kPieceValueTask] =
            kScoreScale * (score - evaluator_->score(*rest));
    }
}

void AuxiliaryTargets::add_moves(const Position& position, float score, float* rows) {
    add_moves_of_mover(position, score, kMoveToTask, rows);
    // Who is in check cannot pass.
    if (position.in_check()) return;
    add_moves_of_mover(position.after_pass(), score, kThreatToTask, rows);
}

// Gains are the mover's, so that the best move is the largest number for both sides.
void AuxiliaryTargets::add_moves_of_mover(const Position& position, float score,
                                          std::size_t to_task, float* rows) {
    children_.clear();
    moves_to_children_.clear();
    for (const chess::Move move : chess::legal_moves(position)) {
        const Position child = position.after(move);
        if (teacher_->has_ending(child)) continue;
        children_.push_back(child);
        moves_to_children_.push_back(move);
    }
    scores_.resize(children_.size());
    evaluator_->score_children(position, children_, scores_);
    const float sign = position.side_to_move() == Color::White ? 1.0f : -1.0f;
    for (std::size_t i = 0; i < children_.size(); ++i) {
        const bool mates = children_[i].in_check() && chess::count_legal_moves(children_[i]) == 0;
        const float gain = kScoreScale * ((mates ? 1.0f : sign * scores_[i]) - sign * score);
        const auto raise = [&](Square square, std::size_t task) {
            float& known = rows[row_of_square(square) * nn::kAuxiliaryTasks + task];
            if (!(known >= gain)) known = gain;
        };
        raise(moves_to_children_[i].from(), kMoveFromTask);
        raise(moves_to_children_[i].to(), to_task);
    }
}

}  // namespace solis::train
