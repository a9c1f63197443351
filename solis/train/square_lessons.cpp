// Answers to the questions about squares.
#include "solis/train/square_lessons.h"

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

constexpr std::size_t kKinds = 6;           // of pieces, for each side
constexpr std::size_t kWorth = 2 * kKinds;  // the question behind the attacks
constexpr std::size_t kRows = data::kTokenCount + 1;
// Of what a piece changes in the teacher's score: makes the answers about as large as 1.
constexpr float kWorthScale = 5;

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

SquareLessons::SquareLessons(double weight, std::shared_ptr<const model::LoadedModel> teacher)
    : weight_(weight),
      teacher_(std::move(teacher)),
      evaluator_(teacher_ != nullptr ? teacher_->make_evaluator() : nullptr) {}

Result<std::unique_ptr<SquareLessons>> SquareLessons::open(const TrainConfig& config) {
    std::shared_ptr<const model::LoadedModel> teacher;
    if (!config.teacher.empty()) {
        auto prepared = model::open(config.teacher == "default" ? "" : config.teacher);
        if (!prepared) return fail_in("the teacher", prepared.error());
        teacher = std::move(*prepared);
    }
    return std::unique_ptr<SquareLessons>(new SquareLessons(config.lessons, std::move(teacher)));
}

// Each of the two lessons is a mean over the board, and both over the batch.
nn::Questions SquareLessons::questions(std::size_t batch) const {
    nn::Questions questions{};
    const double weight = weight_ / static_cast<double>(batch);
    for (std::size_t q = 0; q < kWorth; ++q) {
        questions[q] = {true, static_cast<float>(weight / (64 * kWorth))};
    }
    questions[kWorth] = {false, teacher_ != nullptr ? static_cast<float>(weight / 32) : 0.0f};
    return questions;
}

std::vector<float> SquareLessons::answers(std::span<const Position> positions) {
    constexpr std::size_t kPerPosition = kRows * nn::kQuestions;
    std::vector<float> all(positions.size() * kPerPosition,
                           std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        tell_attacks(positions[i], all.data() + i * kPerPosition);
        if (evaluator_ != nullptr) tell_worth(positions[i], all.data() + i * kPerPosition);
    }
    return all;
}

void SquareLessons::tell_attacks(const Position& position, float* rows) const {
    for (std::size_t q = 0; q < kWorth; ++q) {
        const Color side = q < kKinds ? Color::White : Color::Black;
        const Bitboard attacked = attacked_by(position, side, static_cast<PieceType>(q % kKinds));
        for (int s = 0; s < 64; ++s) {
            const Square square = chess::square_at(s);
            rows[row_of_square(square) * nn::kQuestions + q] =
                (attacked & chess::bit(square)) != 0 ? 1.0f : 0.0f;
        }
    }
}

// Scores of two encoders cannot be compared: where that for endings is in charge nothing is said.
void SquareLessons::tell_worth(const Position& position, float* rows) {
    if (teacher_->has_ending(position)) return;
    const float score = evaluator_->score(position);
    const Bitboard kings = position.pieces(PieceType::King);
    for (Bitboard pieces = position.pieces() & ~kings; pieces != 0;) {
        const Square square = chess::pop_lowest(pieces);
        const auto rest = chess::without_piece(position, square);
        if (!rest || teacher_->has_ending(*rest)) continue;
        rows[row_of_square(square) * nn::kQuestions + kWorth] =
            kWorthScale * (score - evaluator_->score(*rest));
    }
}

}  // namespace solis::train
