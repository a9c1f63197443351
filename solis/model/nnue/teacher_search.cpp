// Quiescence with the net, after one ply or none.
#include "solis/model/nnue/teacher_search.h"

#include <algorithm>
#include <array>

#include "solis/chess/exchange.h"

namespace solis::model {
namespace {

using chess::Move;
using chess::MoveList;
using chess::PieceType;
using chess::Position;

// Values are the net's units, 361 to a pawn.
constexpr int kMateValue = 200'000;  // minus the plies to it
constexpr int kInfinity = 300'000;
constexpr std::size_t kMaxPly = 24;
// What a capture may gain at most besides the captured piece, before it is worth a look.
constexpr int kCaptureMargin = 200;
constexpr std::array kUnitsOfPiece{220, 850, 900, 1400, 2700, 0, 0};

PieceType victim_of(const Position& position, Move move) {
    if (move.kind() == chess::MoveKind::EnPassant) return PieceType::Pawn;
    return position.is_capture(move) ? type_of(position.piece_on(move.to())) : PieceType::None;
}

int units_gained(const Position& position, Move move) {
    int gained = kUnitsOfPiece[index(victim_of(position, move))];
    if (move.kind() == chess::MoveKind::Promotion) {
        gained += kUnitsOfPiece[index(move.promotion_piece())] - kUnitsOfPiece[0];
    }
    return gained;
}

MoveList good_captures(const Position& position) {
    MoveList good;
    for (const Move move : chess::legal_captures(position)) {
        if (chess::static_exchange(position, move) >= 0) good.add(move);
    }
    return good;
}

data::Score score_of_value(int value) {
    // A mate in n plies is one in (n + 1) / 2 moves.
    if (value > kMateValue - 1000) return data::Score::mate_in((kMateValue - value + 1) / 2);
    if (value < -kMateValue + 1000) return data::Score::mated_in((kMateValue + value + 1) / 2);
    return data::Score::centipawns(nnue_centipawns(value));
}

// Moves, the most promising first: what is captured counts most, then the least valuable attacker.
class MovePicker {
  public:
    MovePicker(const Position& position, const MoveList& moves) : size_(moves.size()) {
        for (std::size_t i = 0; i < size_; ++i) {
            const int attacker = index(type_of(position.piece_on(moves[i].from())));
            moves_[i] = {moves[i], 8 * units_gained(position, moves[i]) - attacker};
        }
    }
    // None when all have been given out.
    [[nodiscard]] Move next() {
        if (given_ == size_) return {};
        std::size_t best = given_;
        for (std::size_t i = given_ + 1; i < size_; ++i) {
            if (moves_[i].order > moves_[best].order) best = i;
        }
        std::swap(moves_[given_], moves_[best]);
        return moves_[given_++].move;
    }

  private:
    struct OrderedMove {
        Move move;
        int order;
    };
    std::array<OrderedMove, 256> moves_;
    std::size_t size_;
    std::size_t given_ = 0;
};

}  // namespace

TeacherSearch::TeacherSearch(const nn::NnueNet& net, TeacherDepth depth)
    : depth_(depth), follower_(net), states_(kMaxPly + 2), nearest_(kMaxPly + 2) {}

int TeacherSearch::value_of(const Position& position, std::size_t ply) const {
    constexpr int kMost = 361 * data::Score::kMaxCentipawns / 100;
    return std::clamp(follower_.value(states_[ply], position).total(), -kMost, kMost);
}

int TeacherSearch::evaluate(const Position& position, std::size_t ply) {
    follower_.derive(states_[nearest_[ply - 1]], position, states_[ply]);
    nearest_[ply] = ply;
    return value_of(position, ply);
}

// All evasions: a search that gives up after the first few takes many a check for a win.
int TeacherSearch::answer_check(const Position& position, int alpha, int beta, std::size_t ply) {
    nearest_[ply] = nearest_[ply - 1];
    const MoveList moves = chess::legal_moves(position);
    if (moves.empty()) return -kMateValue + static_cast<int>(ply);
    if (ply >= kMaxPly) return evaluate(position, ply);
    MovePicker picker(position, moves);
    int best = -kInfinity;
    for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
        const int value = -quiesce(position.after(move), -beta, -std::max(alpha, best), ply + 1);
        best = std::max(best, value);
        if (best >= beta) break;
    }
    return best;
}

int TeacherSearch::quiesce(const Position& position, int alpha, int beta, std::size_t ply) {
    ++nodes_;
    if (position.in_check()) return answer_check(position, alpha, beta, ply);
    const int stand = evaluate(position, ply);
    if (stand >= beta || ply >= kMaxPly) return stand;
    int best = stand;
    MovePicker picker(position, chess::legal_captures(position));
    for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
        const int bound = std::max(alpha, best);
        const int most = stand + units_gained(position, move) + kCaptureMargin;
        if (most <= bound) {
            best = std::max(best, most);
            continue;
        }
        if (chess::static_exchange(position, move) < 0) continue;
        const int value = -quiesce(position.after(move), -beta, -bound, ply + 1);
        best = std::max(best, value);
        if (best >= beta) break;
    }
    return best;
}

int TeacherSearch::best_of(const Position& position, const MoveList& moves, int floor,
                           Move& best_move) {
    MovePicker picker(position, moves);
    for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
        const int value = -quiesce(position.after(move), -kInfinity, -floor, 1);
        if (value <= floor) continue;
        floor = value;
        best_move = move;
    }
    return floor;
}

TeacherVerdict TeacherSearch::judge(const Position& position) {
    ++nodes_;
    follower_.refresh(position, states_[0]);
    nearest_[0] = 0;
    TeacherVerdict verdict;
    const bool stands = depth_ == TeacherDepth::Quiescence && !position.in_check();
    const MoveList moves = stands ? good_captures(position) : chess::legal_moves(position);
    const int floor = stands ? value_of(position, 0) : -kInfinity;
    verdict.score = score_of_value(best_of(position, moves, floor, verdict.best));
    return verdict;
}

}  // namespace solis::model
