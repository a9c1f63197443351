// Targets of the auxiliary loss, from the rules of chess and from a teacher.
#include "solis/train/auxiliary_targets.h"

#include <limits>

#include "solis/chess/attacks.h"
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
constexpr std::size_t kRows = data::kTokenCount + 1;
// Of what a piece changes in the teacher's score: makes the targets about as large as 1.
constexpr float kPieceValueScale = 5;

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

AuxiliaryTargets::AuxiliaryTargets(double weight, std::shared_ptr<const model::LoadedModel> teacher)
    : weight_(weight),
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
        new AuxiliaryTargets(config.auxiliary.weight, std::move(teacher)));
}

// Attacks and piece values are each a mean over the board, and both over the batch.
nn::AuxiliaryTasks AuxiliaryTargets::tasks(std::size_t batch) const {
    nn::AuxiliaryTasks tasks{};
    const double weight = weight_ / static_cast<double>(batch);
    for (std::size_t q = 0; q < kPieceValueTask; ++q) {
        tasks[q] = {true, static_cast<float>(weight / (64 * kPieceValueTask))};
    }
    tasks[kPieceValueTask] = {false, teacher_ != nullptr ? static_cast<float>(weight / 32) : 0.0f};
    return tasks;
}

std::vector<float> AuxiliaryTargets::targets(std::span<const Position> positions) {
    constexpr std::size_t kPerPosition = kRows * nn::kAuxiliaryTasks;
    std::vector<float> all(positions.size() * kPerPosition,
                           std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        add_attacks(positions[i], all.data() + i * kPerPosition);
        if (evaluator_ != nullptr) add_piece_values(positions[i], all.data() + i * kPerPosition);
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

// Scores of two encoders cannot be compared: where that for endings is in charge nothing is said.
void AuxiliaryTargets::add_piece_values(const Position& position, float* rows) {
    if (teacher_->has_ending(position)) return;
    const float score = evaluator_->score(position);
    const Bitboard kings = position.pieces(PieceType::King);
    for (Bitboard pieces = position.pieces() & ~kings; pieces != 0;) {
        const Square square = chess::pop_lowest(pieces);
        const auto rest = chess::without_piece(position, square);
        if (!rest || teacher_->has_ending(*rest)) continue;
        rows[row_of_square(square) * nn::kAuxiliaryTasks + kPieceValueTask] =
            kPieceValueScale * (score - evaluator_->score(*rest));
    }
}

}  // namespace solis::train
