// Pruning and reductions of the deep plan: what a latent score allows to be left unsearched.
#include <algorithm>

#include "solis/chess/rules.h"
#include "solis/planner/deep/reductions.h"
#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

// Up to this depth captures that lose an exchange are not even embedded.
constexpr int kLosingCaptureDepth = 2;
// Up to this depth quiet children are left out for what such moves have gained elsewhere.
constexpr int kGainDepth = 4;
// A null move costs one ply more for each so far above beta.
constexpr Value kNullMoveAhead = 1000;

// With kings and pawns alone zugzwang is common: having to move may be a disadvantage, and that the
// side to move could pass says nothing.
bool has_pieces(const chess::Position& position) {
    const chess::Bitboard kings_and_pawns =
        position.pieces(chess::PieceType::Pawn) | position.pieces(chess::PieceType::King);
    return (position.pieces(position.side_to_move()) & ~kings_and_pawns) != 0;
}

}  // namespace

std::optional<Value> DeepSearch::reverse_futility(int depth, Window window, Value estimate,
                                                  bool improving) const {
    if (is_decided(window.beta) || is_decided(estimate)) return std::nullopt;
    const Value margin =
        tuning_.reverse_futility_margin * depth - (improving ? tuning_.reverse_futility_margin : 0);
    if (tuning_.reverse_futility && depth <= tuning_.reverse_futility_depth &&
        estimate - margin >= window.beta) {
        return estimate;
    }
    return std::nullopt;
}

std::optional<Value> DeepSearch::null_move_cutoff(const Node& node, int depth, Window window,
                                                  Value estimate) {
    if (!tuning_.null_move || !node.allow_null_move || depth < 2 || estimate < window.beta ||
        is_decided(window.beta) || !has_pieces(node.position)) {
        return std::nullopt;
    }
    const chess::Position position = node.position.after_pass();
    if (!chess::has_legal_move(position)) return std::nullopt;
    keys_.push_back(position.key());
    frame(node.ply).played = kNoPieceTo;
    const Node next{position, node.ply + 1, scorer_.score(position),
                    false,    false,        !node.expect_cut};
    const Window negated{-window.beta, -window.beta + 1};
    const int ahead = std::min((estimate - window.beta) / kNullMoveAhead, 3);
    const int less = 3 + depth / 3 + ahead;
    const Value value = -search(next, depth - less, negated);
    keys_.pop_back();
    if (ended()) return 0;
    if (value < window.beta) return std::nullopt;
    // A mate after a null move is no mate of the game: it is only known that beta is reached.
    return is_decided(value) ? window.beta : value;
}

int DeepSearch::reduction_of(const Node& node, const Child& child, const Course& course,
                             Window window, int rank) const {
    if (rank == 0) return 0;
    const bool quiet = is_quiet(node.position, child.move);
    // The order of a quiet child is its value and what histories say of it.
    const int tendency = quiet ? (child.order - child.value) * tuning_.history_weight : 0;
    return reduction({course.depth, rank, tendency, !window.is_null(), node.expect_cut,
                      course.improving, node.in_check || child.check, quiet},
                     tuning_);
}

bool DeepSearch::is_futile(const Node& node, const Child& child, const Step& step) const {
    if (child.finished || child.check || node.in_check) return false;
    const int plies = step.depth - 1 - step.less;  // that it would be searched to
    // At the last ply quiescence follows, where the opponent may stand pat: it can only lower a
    // child, whose latent score is therefore an upper bound.
    if (plies <= 0) return child.value <= step.window.alpha;
    return tuning_.latent_futility && plies <= tuning_.futility_depth && step.rank > 0 &&
           child.value + tuning_.futility_margin * (plies + 1) <= step.window.alpha;
}

void DeepSearch::skip_groups(const Node& node, const Course& course, ChildStream& stream,
                             Value alpha, Best& best) const {
    if (const auto gain = stream.expected_gain();
        gain && tuning_.gains && course.depth <= kGainDepth) {
        const Value bound = node.latent + *gain + tuning_.gain_margin * course.depth;
        if (bound <= alpha) {
            best.value = std::max(best.value, bound);
            stream.skip_quiet();
        }
    }
    if (tuning_.exchanges && course.depth <= kLosingCaptureDepth &&
        stream.losing_capture_is_next()) {
        stream.skip_all();
    }
}

}  // namespace solis::planner
