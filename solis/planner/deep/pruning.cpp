// Pruning and reductions of the deep plan: what a latent score allows to be left unsearched.
#include <algorithm>

#include "solis/chess/rules.h"
#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

// The largest depths at which a latent score may end a node or leave out a child.
constexpr int kReverseFutilityDepth = 6;
constexpr int kFutilityDepth = 4;

// With kings and pawns alone zugzwang is common: having to move may be a disadvantage, and that the
// side to move could pass says nothing.
bool has_pieces(const chess::Position& position) {
    const chess::Bitboard kings_and_pawns =
        position.pieces(chess::PieceType::Pawn) | position.pieces(chess::PieceType::King);
    return (position.pieces(position.side_to_move()) & ~kings_and_pawns) != 0;
}

}  // namespace

std::optional<Value> DeepSearch::reverse_futility(int depth, Window window, Value estimate) const {
    if (is_decided(window.beta) || is_decided(estimate)) return std::nullopt;
    if (tuning_.reverse_futility && depth <= kReverseFutilityDepth &&
        estimate - tuning_.reverse_futility_margin * depth >= window.beta) {
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
    const Node next{position, node.ply + 1, scorer_.score(position), false, false};
    const Window negated{-window.beta, -window.beta + 1};
    const Value value = -search(next, depth - 3 - depth / 4, negated);
    keys_.pop_back();
    if (ended()) return 0;
    if (value < window.beta) return std::nullopt;
    // A mate after a null move is no mate of the game: it is only known that beta is reached.
    return is_decided(value) ? window.beta : value;
}

int DeepSearch::reduction(const Node& node, const Child& child, int rank, int depth,
                          Window window) const {
    if (!tuning_.rank_reduction || depth < 2) return 0;
    int plies = rank < 2 ? 0 : rank < 4 ? 1 : rank < 8 ? 2 : rank < 14 ? 3 : 4;
    if (!window.is_null()) --plies;
    if (node.in_check || child.check) --plies;
    return std::clamp(plies, 0, depth - 1);
}

bool DeepSearch::is_futile(const Node& node, const Child& child, int rank, int depth,
                           Value alpha) const {
    if (child.finished || child.check || node.in_check) return false;
    // At the last ply quiescence follows, where the opponent may stand pat: it can only lower a
    // child, whose latent score is therefore an upper bound.
    if (depth == 1) return child.value <= alpha;
    return tuning_.latent_futility && depth <= kFutilityDepth && rank > 1 &&
           child.value + tuning_.futility_margin * depth <= alpha;
}

std::optional<Value> DeepSearch::futile_rest(const Node& node, const ChildStream& stream, int depth,
                                             Value alpha) const {
    const std::optional<Value> gain = stream.expected_gain();
    if (!tuning_.gains || !gain) return std::nullopt;
    const Value bound = node.latent + *gain + tuning_.gain_margin * depth;
    return bound <= alpha ? std::optional(bound) : std::nullopt;
}

}  // namespace solis::planner
