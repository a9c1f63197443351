// Alpha-beta over latent-ranked children.
#include "solis/planner/deep/search.h"

#include <algorithm>

#include "solis/chess/rules.h"
#include "solis/planner/repetition.h"
#include "solis/planner/root.h"

namespace solis::planner {
namespace {

using chess::Move;
using chess::Position;

// Depths at which the latent score alone may end a node or leave out a child.
constexpr int kReverseFutilityDepth = 6;
constexpr int kFutilityDepth = 4;

// Kings and pawns alone are where passing may be the best move there is.
bool has_pieces(const Position& position) {
    const chess::Bitboard plain =
        position.pieces(chess::PieceType::Pawn) | position.pieces(chess::PieceType::King);
    return (position.pieces(position.side_to_move()) & ~plain) != 0;
}

}  // namespace

DeepSearch::DeepSearch(const Task& task, SharedSearch& shared, ThreadMemory& memory, Role role)
    : task_(task),
      role_(role),
      tuning_(task.settings.deep),
      shared_(shared),
      moves_(memory.moves),
      scorer_(task.model, *memory.evaluator, task.scale, task.settings.deep.tempo.value_or(0),
              task.settings.deep.score_cache ? &memory.cache : nullptr),
      reads_counters_(task.model.traits().reads_counters),
      frames_(kMaxPly + 2),
      keys_(task.game.keys().begin(), task.game.keys().end()),
      game_length_(keys_.size()) {
    scorer_.interrupt_when([&] { return shared.ended || task.must_end(); });
    std::vector<Child> children;
    scorer_.score(task.root(), task.root_moves, children);
    rank(children);
    for (const Child& child : children) {
        RootMove move{.move = child.move,
                      .finished = child.finished,
                      .latent = child.value,
                      .line = {child.move}};
        root_moves_.push_back(std::move(move));
    }
    root_latent_ = scorer_.score(task.root());
}

void DeepSearch::publish_effort() {
    const std::uint64_t now = scorer_.embedded();
    shared_.embedded.fetch_add(now - published_, std::memory_order_relaxed);
    published_ = now;
}

void DeepSearch::check_limits() {
    if ((++nodes_ & 7) != 0) return;
    publish_effort();
    if (role_ == Role::Helper) return;
    if (task_.must_end(shared_.embedded.load(std::memory_order_relaxed))) shared_.ended = true;
}

Value DeepSearch::value_at(const Child& child, int ply) const {
    return is_decided(child.value) ? from_table(child.value, ply) : child.value;
}

void DeepSearch::extend_line(int ply, Move move) {
    const std::vector<Move>& below = frames_[static_cast<std::size_t>(ply) + 1].line;
    std::vector<Move>& line = frames_[static_cast<std::size_t>(ply)].line;
    line.assign(1, move);
    line.insert(line.end(), below.begin(), below.end());
}

std::optional<Value> DeepSearch::known_before(const Node& node, Window& window) {
    const Position& position = node.position;
    selective_depth_ = std::max(selective_depth_, node.ply);
    if (position.halfmove_clock() >= chess::kFiftyMoves ||
        repeats(keys_, game_length_, position.halfmove_clock())) {
        return task_.scale.draw(position.side_to_move());
    }
    if (const auto known =
            tablebase_value(task_.settings.tablebase, position, node.ply, task_.scale)) {
        ++tablebase_hits_;
        return known;
    }
    // Nothing here can be better than a mate that is already known to be shorter.
    window.alpha = std::max(window.alpha, mated_in(node.ply));
    window.beta = std::min(window.beta, mate_in(node.ply + 1));
    if (window.alpha >= window.beta) return window.alpha;
    if (node.ply >= kMaxPly) return node.latent;
    return std::nullopt;
}

Value DeepSearch::search(const Node& node, int depth, Window window) {
    if (depth <= 0) return settle(node, window, 0);
    check_limits();
    if (ended()) return 0;
    frames_[static_cast<std::size_t>(node.ply)].line.clear();
    if (const auto known = known_before(node, window)) return *known;

    const std::optional<TableEntry> entry = shared_.table.find(key_of(node.position));
    Value estimate = node.latent;
    if (entry) {
        const Value value = from_table(entry->value, node.ply);
        if (entry->depth >= depth && window.is_zero() &&
            decides(entry->bound, value, window.alpha, window.beta)) {
            return value;
        }
        if (decides(entry->bound, value, estimate, estimate)) estimate = value;
    }
    if (!node.in_check && window.is_zero()) {
        if (const auto value = pruned(depth, window, estimate)) return *value;
        if (const auto value = passed(node, depth, window, estimate)) return *value;
    }
    return search_moves(node, depth, window, entry ? entry->move : Move());
}

std::optional<Value> DeepSearch::pruned(int depth, Window window, Value estimate) const {
    if (is_decided(window.beta) || is_decided(estimate)) return std::nullopt;
    if (tuning_.reverse_futility && depth <= kReverseFutilityDepth &&
        estimate - tuning_.reverse_futility_margin * depth >= window.beta) {
        return estimate;
    }
    return std::nullopt;
}

std::optional<Value> DeepSearch::passed(const Node& node, int depth, Window window,
                                        Value estimate) {
    if (!tuning_.null_move || !node.may_pass || depth < 2 || estimate < window.beta ||
        is_decided(window.beta) || !has_pieces(node.position)) {
        return std::nullopt;
    }
    const Position position = node.position.after_pass();
    if (!chess::has_legal_move(position)) return std::nullopt;
    keys_.push_back(position.key());
    const Node next{position, node.ply + 1, scorer_.score(position), false, false};
    const Window turned{-window.beta, -window.beta + 1};
    const Value value = -search(next, depth - 3 - depth / 4, turned);
    keys_.pop_back();
    if (ended()) return 0;
    if (value < window.beta) return std::nullopt;
    // A mate found after a pass proves nothing.
    return is_decided(value) ? window.beta : value;
}

int DeepSearch::reduction(const Node& node, const Child& child, int rank, int depth,
                          Window window) const {
    if (!tuning_.rank_reduction || depth < 2) return 0;
    int plies = rank < 2 ? 0 : rank < 4 ? 1 : rank < 8 ? 2 : rank < 14 ? 3 : 4;
    if (!window.is_zero()) --plies;
    if (node.in_check || child.check) --plies;
    return std::clamp(plies, 0, depth - 1);
}

Value DeepSearch::look_at(const Node& node, const Child& child, int rank, int depth,
                          Window window) {
    frames_[static_cast<std::size_t>(node.ply) + 1].line.clear();
    if (child.finished) return value_at(child, node.ply);
    const Position position = node.position.after(child.move);
    shared_.table.prefetch(key_of(position));
    keys_.push_back(position.key());
    const Node next{position, node.ply + 1, -child.value, child.check, true};
    Value value = 0;
    const Window zero{window.alpha, window.alpha + 1};
    if (rank == 0) {
        value = -search(next, depth - 1, window.turned());
    } else {
        const int less = reduction(node, child, rank, depth, window);
        value = -search(next, depth - 1 - less, zero.turned());
        if (less > 0 && value > window.alpha) value = -search(next, depth - 1, zero.turned());
        if (value > window.alpha && value < window.beta) {
            value = -search(next, depth - 1, window.turned());
        }
    }
    keys_.pop_back();
    return value;
}

void DeepSearch::learn(const Node& node, int depth, Move refutation, std::size_t tried) {
    if (!tuning_.history || !is_quiet(node.position, refutation)) return;
    const int bonus = std::min(16 * depth * depth + 32 * depth, 1500);
    moves_.history.add(node.position, refutation, bonus);
    const std::vector<Child>& children = frames_[static_cast<std::size_t>(node.ply)].children;
    for (std::size_t i = 0; i < tried; ++i) {
        if (is_quiet(node.position, children[i].move)) {
            moves_.history.add(node.position, children[i].move, -bonus);
        }
    }
}

void DeepSearch::store(const Node& node, int depth, const Best& best, Window window) {
    if (scorer_.interrupted()) return;  // made of children without a score
    const Bound bound = best.value >= window.beta    ? Bound::Lower
                        : best.value <= window.alpha ? Bound::Upper
                                                     : Bound::Exact;
    const Move move = bound == Bound::Upper ? Move() : best.move;
    shared_.table.store(key_of(node.position),
                        {move, to_table(best.value, node.ply), node.latent, depth, bound});
}

bool DeepSearch::is_hopeless(const Node& node, const Child& child, int rank, int depth,
                             Value alpha) const {
    if (child.finished || child.check || node.in_check) return false;
    // Settling a child can only lower it, so at the last ply its latent score is a bound.
    if (depth == 1) return child.value <= alpha;
    return tuning_.latent_futility && depth <= kFutilityDepth && rank > 1 &&
           child.value + tuning_.futility_margin * depth <= alpha;
}

std::optional<Value> DeepSearch::rest_is_too_little(const Node& node, const ChildStream& stream,
                                                    int depth, Value alpha) const {
    const std::optional<Value> gain = stream.expected_gain();
    if (!tuning_.gains || !gain) return std::nullopt;
    const Value most = node.latent + *gain + tuning_.gain_margin * depth;
    return most <= alpha ? std::optional(most) : std::nullopt;
}

Value DeepSearch::search_moves(const Node& node, int depth, Window window, Move table_move) {
    std::vector<Child>& children = frames_[static_cast<std::size_t>(node.ply)].children;
    const bool near_leaf = depth <= tuning_.lazy_depth && window.is_zero() && !node.in_check;
    ChildStream stream({node.position, node.latent, table_move, near_leaf}, children, scorer_,
                       moves_, tuning_);
    Best best;
    Value alpha = window.alpha;
    int rank = 0;
    for (std::size_t i = 0;; ++i) {
        if (i == children.size()) {
            const auto rest = rest_is_too_little(node, stream, depth, alpha);
            if (rest && best.value > -kDecidedBound) {
                best.value = std::max(best.value, *rest);
                break;
            }
            if (!stream.more()) break;
        }
        const Child child = children[i];
        if (best.value > -kDecidedBound && is_hopeless(node, child, rank, depth, alpha)) {
            best.value = std::max(best.value, child.value);
            continue;
        }
        const Value value = look_at(node, child, rank++, depth, {alpha, window.beta});
        if (ended()) return 0;
        if (value <= best.value) continue;
        best = {value, child.move};
        if (value <= alpha) continue;
        alpha = value;
        if (!window.is_zero()) extend_line(node.ply, child.move);
        if (alpha >= window.beta) {
            learn(node, depth, child.move, i);
            break;
        }
    }
    store(node, depth, best, window);
    return best.value;
}

}  // namespace solis::planner
