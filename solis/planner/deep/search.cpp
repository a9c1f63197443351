// Alpha-beta over latent values.
#include "solis/planner/deep/search.h"

#include <algorithm>

#include "solis/chess/legality.h"
#include "solis/chess/rules.h"
#include "solis/planner/child_scorer.h"
#include "solis/planner/deep/checks.h"
#include "solis/planner/repetition.h"
#include "solis/planner/root.h"
#include "solis/planner/upcoming_repetition.h"

namespace solis::planner {
namespace {

using chess::Move;
using chess::Position;

constexpr int kInternalReductionDepth = 4;
constexpr int kInternalReductionByTwo = 8;
// Positions with more plies than this towards the 50-move rule are not taken from the table, whose
// values know nothing of it.
constexpr int kCounterMatters = 90;
// Insufficient material means at most so many pieces, unless all bishops stand on one colour.
constexpr int kFewPieces = 4;

}  // namespace

DeepSearch::DeepSearch(const Task& task, SharedSearch& shared, ThreadMemory& memory, Role role)
    : task_(task),
      role_(role),
      tuning_(task.settings.deep),
      shared_(shared),
      moves_(memory.moves),
      scorer_(task.model, *memory.evaluator, task.scale, shared.log_odds,
              task.settings.deep.tempo.value_or(0), memory.cache),
      frames_(kMaxPly + 2),
      keys_(task.game.keys().begin(), task.game.keys().end()),
      game_length_(keys_.size()) {
    ChildScorer ranking(task.model, *memory.evaluator, task.scale,
                        task.settings.deep.tempo.value_or(0));
    ranking.interrupt_when([&] { return shared.ended || task.must_end(); });
    std::vector<Child> children;
    ranking.score(task.root(), task.root_moves, children);
    rank(children);
    for (const Child& child : children) {
        root_moves_.push_back(
            {.move = child.move, .finished = child.finished, .latent = child.value});
    }
    shared_.scored.fetch_add(ranking.scored(), std::memory_order_relaxed);
    shared_.embedded.fetch_add(ranking.embedded(), std::memory_order_relaxed);
}

void DeepSearch::publish_effort() {
    const std::uint64_t embedded = scorer_.embedded();
    shared_.scored.fetch_add(visited_ - published_visits_, std::memory_order_relaxed);
    shared_.embedded.fetch_add(embedded - published_embedded_, std::memory_order_relaxed);
    published_visits_ = visited_;
    published_embedded_ = embedded;
}

void DeepSearch::count_visit() {
    // Every sixteenth visit is often enough where a visit takes a microsecond.
    const bool has_taken_long = scorer_.has_taken_long();
    if ((++visited_ & 15) != 0 && !has_taken_long) return;
    publish_effort();
    const std::uint64_t scored = shared_.scored.load(std::memory_order_relaxed);
    const std::uint64_t embedded = shared_.embedded.load(std::memory_order_relaxed);
    if (role_ == Role::Helper && !has_taken_long) {
        done_ = task_.limits.is_reached(scored, embedded);
    } else if (task_.must_end(scored, embedded)) {
        shared_.ended = true;
    }
}

void DeepSearch::extend_line(int ply, Move move) {
    const Frame& below = frame(ply + 1);
    Frame& here = frame(ply);
    here.line[0] = move;
    std::copy_n(below.line.begin(), below.line_length, here.line.begin() + 1);
    here.line_length = below.line_length + 1;
}

Value DeepSearch::search(const Node& node, int depth, Window window) {
    // Step 1. At the horizon only exchanges and checks are searched on.
    if (depth <= 0) return quiescence(node, window);

    // Step 2. Limits.
    count_visit();
    if (ended()) return 0;

    // Step 3. Draws by rule, tablebases, mate distance pruning.
    Frame& here = frame(node.ply);
    here.line_length = 0;
    if (const auto result = early_result(node, window)) return *result;

    // Step 4. Transposition table: a cutoff, or at least a better estimate than the latent value.
    Course course{depth,
                  window,
                  shared_.table.find(scorer_.key_of(node.position)),
                  kNoScore,
                  false,
                  here.excluded.is_none(),
                  !window.is_null()};
    Value known = kNoScore;  // by the table
    if (course.entry) {
        course.was_principal = course.was_principal || course.entry->principal;
        known = from_table(course.entry->value, node.ply);
        if (course.whole && course.entry->depth >= depth && window.is_null() &&
            decides(course.entry->bound, known, window.alpha, window.beta) &&
            node.position.halfmove_clock() < kCounterMatters) {
            if (known >= window.beta) reward_table_move(node, depth, course.table_move());
            return known;
        }
    }

    // Step 5. The latent value, corrected, and what the table says beside it.
    if (course.whole) appraise(node, course.entry);
    course.value = node.in_check ? kNoScore : here.value;
    course.improving = is_improving(node);
    Value estimate = here.value;
    if (known != kNoScore && decides(course.entry->bound, known, estimate, estimate)) {
        estimate = known;
    }

    // The move that led here was reduced: a ply is given back where it did its side no harm, and
    // one more is taken where it did much.
    if (course.whole && node.ply > 0 && !node.in_check && frame(node.ply - 1).latent != kNoScore) {
        const Value harm = here.value + frame(node.ply - 1).value;
        const int reduced = frame(node.ply - 1).reduced;
        if (reduced >= 3 && harm <= 0) ++course.depth;
        if (reduced >= 2 && course.depth >= 2 && harm > tuning_.much_harm) --course.depth;
    }

    // Step 6. Pruning of the whole node, where it is quiet and off the principal variation.
    if (course.whole && !node.in_check && window.is_null()) {
        if (const auto value = razor(node, course, estimate)) return *value;
        if (const auto value = reverse_futility(course, estimate)) return *value;
        if (const auto value = null_move_cutoff(node, course, estimate)) return *value;
        if (ended()) return 0;
        if (const auto value = probcut(node, course)) return *value;
        if (ended()) return 0;
    }

    // Step 7. Internal iterative reduction: without a move of the table the order is worse, and a
    // shorter search finds one for the next time.
    if (tuning_.internal_reduction && depth >= kInternalReductionDepth && course.whole &&
        course.table_move().is_none() && (node.expect_cut || course.principal())) {
        course.depth -= course.depth >= kInternalReductionByTwo ? 2 : 1;
    }

    // Step 8. The moves.
    return search_moves(node, course);
}

void DeepSearch::appraise(const Node& node, const std::optional<TableEntry>& entry) {
    Frame& here = frame(node.ply);
    if (node.in_check) {
        here.latent = kNoScore;
        here.value = node.ply >= 2 ? frame(node.ply - 2).value : 0;
        if (here.value == kNoScore) here.value = 0;
        return;
    }
    here.latent = entry && entry->latent != kNoScore
                      ? entry->latent
                      : scorer_.score(node.position, scorer_.key_of(node.position));
    here.value = here.latent;
    if (tuning_.corrections && !is_decided(here.latent)) {
        here.value = std::clamp(here.latent + moves_.corrections.of(node.position),
                                -kDecidedBound + 1, kDecidedBound - 1);
    }
}

bool DeepSearch::is_improving(const Node& node) const {
    if (node.in_check) return false;
    for (const int before : {2, 4}) {
        if (node.ply < before) return true;
        if (frame(node.ply - before).latent != kNoScore) {
            return frame(node.ply).value > frame(node.ply - before).value;
        }
    }
    return true;
}

MaybeValue DeepSearch::early_result(const Node& node, Window& window) {
    const Position& position = node.position;
    selective_depth_ = std::max(selective_depth_, node.ply);
    if (position.halfmove_clock() >= chess::kFiftyMoves &&
        (!node.in_check || chess::has_legal_move(position))) {
        return 0;
    }
    if (repeats(keys_, game_length_, position.halfmove_clock())) return 0;
    if (chess::count(position.pieces()) <= kFewPieces &&
        chess::is_insufficient_material(position)) {
        return 0;
    }
    if (task_.settings.tablebase != nullptr) {
        if (const auto known =
                tablebase_value(task_.settings.tablebase, position, node.ply, task_.scale)) {
            ++tablebase_hits_;
            return is_decided(*known) ? *known : 0;
        }
    }
    // Who can repeat need not accept less than a draw.
    if (window.alpha < 0 && can_repeat(position, keys_, game_length_)) window.alpha = 0;
    // Mate distance pruning: no line through this node is better than a shorter mate found before.
    window.alpha = std::max(window.alpha, mated_in(node.ply));
    window.beta = std::min(window.beta, mate_in(node.ply + 1));
    if (window.alpha >= window.beta) return window.alpha;
    if (node.ply >= kMaxPly) {
        return node.in_check ? 0 : scorer_.score(position, scorer_.key_of(position));
    }
    return std::nullopt;
}

Value DeepSearch::search_moves(const Node& node, const Course& course) {
    Frame& here = frame(node.ply);
    here.threats = Threats(node.position);
    const Window window = course.window;
    frame(node.ply + 1).killers = {};
    frame(node.ply + 1).cutoffs = 0;
    const CheckSquares checks(node.position);
    MovePicker picker({.position = node.position,
                       .checks = &checks,
                       .table_move = course.table_move(),
                       .context = move_context(node.ply),
                       .threats = here.threats,
                       .killers = here.killers,
                       .in_check = node.in_check},
                      moves_);
    const Move excluded = here.excluded;
    Progress progress;
    Value alpha = window.alpha;
    int rank = 0;  // of the move, pruned ones counted
    for (MovePicker::Choice choice; picker.next(choice);) {
        if (choice.move == excluded) continue;
        prefetch_child(node.position, choice.move);
        Candidate move{choice.move, choice.quiet, choice.losing,
                       checks.gives_check(node.position, choice.move),
                       choice.quiet ? quiet_tendency(moves_, move_context(node.ply), node.position,
                                                     choice.move)
                                    : 0};
        move.reduction = reduction_of(node, course, move, rank);
        if (is_pruned(node, course, move, rank, alpha, progress, picker)) {
            ++rank;
            continue;
        }
        int extension = 0;
        if (choice.move == course.table_move()) {
            const Singular singular = look_for_rival(node, course);
            if (ended()) return 0;
            if (singular.cutoff) return *singular.cutoff;
            extension = singular.extension;
        }
        const Value value = search_move(node, course, move, alpha, progress.best, rank, extension);
        if (ended()) return 0;
        ++rank;
        if (value > progress.best) {
            progress.best = value;
            if (value > alpha) {
                progress.best_move = choice.move;
                alpha = value;
                if (course.principal()) extend_line(node.ply, choice.move);
                if (alpha >= window.beta) {
                    ++here.cutoffs;
                    break;
                }
            }
        }
        progress.add(choice.move, choice.quiet);
    }
    if (rank == 0) {
        if (!course.whole) return window.alpha;  // the excluded move is the only one
        return node.in_check ? mated_in(node.ply) : 0;
    }
    learn(node, course, progress);
    return progress.best;
}

void DeepSearch::learn(const Node& node, const Course& course, const Progress& progress) {
    if (!progress.best_move.is_none()) {
        update_history(node, course.depth, progress);
    } else if (course.whole) {
        reward_last_move(node, course);
    }
    if (!course.whole) return;
    store(node, course.depth, progress.best, progress.best_move, course.window,
          course.was_principal);
    // What was found says how far the latent value was off, unless it is only a bound on the wrong
    // side of it or due to a capture.
    if (tuning_.corrections && !node.in_check && !is_decided(progress.best) &&
        (progress.best_move.is_none() || is_quiet(node.position, progress.best_move)) &&
        !(progress.best >= course.window.beta && progress.best <= frame(node.ply).value) &&
        !(progress.best_move.is_none() && progress.best >= frame(node.ply).value)) {
        moves_.corrections.learn(node.position, course.depth,
                                 progress.best - frame(node.ply).value);
    }
}

Value DeepSearch::search_child(const Node& node, const Position& position, const Candidate& move,
                               int depth, Window window, bool expect_cut) {
    const Node next{position, node.ply + 1, move.check, expect_cut};
    return -search(next, depth, window.negated());
}

Value DeepSearch::search_move(const Node& node, const Course& course, const Candidate& move,
                              Value alpha, Value best, int rank, int extension) {
    const Position position = node.position.after(move.move);
    keys_.push_back(position.key());
    Frame& here = frame(node.ply);
    here.played = piece_to(node.position, move.move);
    here.quiet = move.quiet;
    const Window window{alpha, course.window.beta};
    const Window null_window{alpha, alpha + 1};
    int depth = course.depth - 1 + extension;
    const auto look = [&](int plies, Window seen, bool expect_cut) {
        return search_child(node, position, move, plies, seen, expect_cut);
    };
    Value value = 0;
    if (rank == 0) {
        value = look(depth, window, !course.principal() && !node.expect_cut);
    } else {
        // A later move is first expected to fail low: with less depth, then with full depth, and
        // only a move that beats alpha twice gets the full window.
        const int less = course.depth >= 2 ? move.reduction : 0;
        const int reduced = std::clamp(depth - less, std::min(1, depth), depth + 1);
        here.reduced = depth - reduced;
        value = look(reduced, null_window, reduced < depth ? true : !node.expect_cut);
        here.reduced = 0;
        if (reduced < depth && value > alpha) {
            // Far better than expected: a ply more; hardly better: a ply less.
            if (value > best + tuning_.much_better + 8 * depth) ++depth;
            if (value < best + tuning_.hardly_better) --depth;
            if (reduced < depth) value = look(depth, null_window, !node.expect_cut);
        }
        if (value > alpha && value < window.beta) value = look(depth, window, false);
    }
    keys_.pop_back();
    return value;
}

void DeepSearch::update_history(const Node& node, int depth, const Progress& progress) {
    const int bonus = bonus_of(depth);
    const MoveContext context = move_context(node.ply);
    const Position& position = node.position;
    const Move best = progress.best_move;
    if (is_quiet(position, best)) {
        Frame& here = frame(node.ply);
        if (here.killers[0] != best) here.killers = {best, here.killers[0]};
        add_quiet(moves_, context, position, best, bonus);
        for (int i = 0; i < progress.quiet_count; ++i) {
            const Move move = progress.quiets[static_cast<std::size_t>(i)];
            if (move != best) add_quiet(moves_, context, position, move, -bonus);
        }
    } else {
        moves_.captures.add(position, best, bonus);
    }
    for (int i = 0; i < progress.capture_count; ++i) {
        const Move move = progress.captures[static_cast<std::size_t>(i)];
        if (move != best) moves_.captures.add(position, move, -bonus);
    }
}

void DeepSearch::reward_table_move(const Node& node, int depth, Move move) {
    if (move.is_none() || !is_quiet(node.position, move) || !chess::is_legal(node.position, move)) {
        return;
    }
    frame(node.ply).threats = Threats(node.position);
    add_quiet(moves_, move_context(node.ply), node.position, move, bonus_of(depth));
}

void DeepSearch::reward_last_move(const Node& node, const Course& course) {
    if (node.ply == 0 || frame(node.ply - 1).passed) return;
    const PieceTo last = played(node.ply - 1);
    if (last == kNoPieceTo || !frame(node.ply - 1).quiet) return;
    const int bonus = std::min(8 * course.depth * course.depth + 32 * course.depth, 800);
    moves_.continuations.add(played(node.ply - 2), last, bonus);
    moves_.continuations.add(played(node.ply - 3), last, bonus);
}

void DeepSearch::store(const Node& node, int depth, Value best, Move move, Window window,
                       bool was_principal) {
    const Bound bound = best >= window.beta ? Bound::Lower
                        : move.is_none()    ? Bound::Upper
                                            : Bound::Exact;
    shared_.table.store(
        scorer_.key_of(node.position),
        {move, to_table(best, node.ply), frame(node.ply).latent, depth, bound, was_principal});
}

}  // namespace solis::planner
