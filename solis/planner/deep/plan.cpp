// Iterative deepening, aspiration windows and threads. All threads search the same root and share
// the transposition table; the plan is what the first thread, the leader, found.
#include "solis/planner/deep/plan.h"

#include <algorithm>
#include <new>
#include <thread>

#include "solis/base/start_thread.h"
#include "solis/chess/movegen.h"
#include "solis/planner/puct/prior.h"

namespace solis::planner {
namespace {

constexpr int kMaxDepth = 120;
// Aspiration windows wider than this are opened altogether.
constexpr Value kWidestAspiration = 800;
// A fall of the value by so much (a pawn) makes a move worth twice the time.
constexpr double kFallWorthDouble = 400;

// Priors are the softmax of the latent scores. The deep plan does not use them; they are shown to
// users as what the latent scores alone would choose.
void set_priors(std::vector<RootStatistics>& moves) {
    Value best = -kInfinite;
    for (const RootStatistics& move : moves) best = std::max(best, move.latent);
    double sum = 0;
    for (RootStatistics& move : moves) sum += move.prior = prior_weight(move.latent, best);
    for (RootStatistics& move : moves) move.prior /= sum;
}

// Results of this iteration come first. Without one, what was known last comes before what was
// known earlier: a move that only failed low must not stay ahead of better ones.
bool is_better(const RootMove& a, const RootMove& b) {
    if (a.has_result() != b.has_result()) return a.has_result();
    if (a.has_result()) return a.current.value > b.current.value;
    if (a.previous.depth != b.previous.depth) return a.previous.depth > b.previous.depth;
    return a.previous.value > b.previous.value;
}

// The iterations of one thread.
class IterativeDeepening {
  public:
    IterativeDeepening(const Task& task, SharedSearch& shared, ThreadMemory& memory,
                       DeepSearch::Role role)
        : task_(task),
          shared_(shared),
          leads_(role == DeepSearch::Role::Leader),
          draw_(task.scale.draw(task.root().side_to_move())),
          search_(task, shared, memory, role) {}

    // Iterates until the search ends. The leader reports to the observer and decides when to end.
    void run(int start_depth);
    [[nodiscard]] Plan plan();
    [[nodiscard]] const DeepSearch& search() const { return search_; }

  private:
    void iterate(int depth);
    void search_line(int depth, std::size_t index);
    void report();
    [[nodiscard]] bool is_enough(int depth);
    // Of the time wanted for the move, how much this position deserves after an iteration.
    [[nodiscard]] double share_of_time(const RootMove& best);
    // The line to show for a root move: the newest result it has.
    [[nodiscard]] Line line_of(const RootMove& move) const;
    // The lines asked for, best first.
    [[nodiscard]] std::vector<Line> best_lines();
    [[nodiscard]] Effort effort() const;
    [[nodiscard]] std::size_t lines() const {
        return std::min(static_cast<std::size_t>(task_.settings.multipv), task_.root_moves.size());
    }

    const Task& task_;
    SharedSearch& shared_;
    bool leads_;
    Value draw_;  // for the mover, on the scale of all plans
    DeepSearch search_;
    int finished_depth_ = 0;
    double instability_ = 0;  // grows with each iteration that changes the best move
    chess::Move last_best_;
    std::optional<Value> last_value_;  // of the iteration before
};

void IterativeDeepening::search_line(int depth, std::size_t index) {
    std::vector<RootMove>& moves = search_.root_moves();
    const Value guess = moves[index].previous.value;
    const bool narrow =
        task_.settings.deep.aspiration && depth >= 4 && !is_decided(guess) && guess > -kInfinite;
    Value width = task_.settings.deep.aspiration_width;
    Value alpha = narrow ? guess - width : -kInfinite;
    Value beta = narrow ? guess + width : kInfinite;
    for (;;) {
        const Value value = search_.search_root(depth, alpha, beta, index);
        // Best first, even where the search has ended: a move that took the lead before the end
        // was searched to this depth.
        std::stable_sort(moves.begin() + static_cast<std::ptrdiff_t>(index), moves.end(),
                         is_better);
        if (search_.ended()) return;
        if (value <= alpha && alpha > -kInfinite) {
            beta = (alpha + beta) / 2;
            alpha = width > kWidestAspiration ? -kInfinite : value - width;
        } else if (value >= beta && beta < kInfinite) {
            beta = width > kWidestAspiration ? kInfinite : value + width;
        } else {
            return;
        }
        width += width / 2 + 4;
    }
}

void IterativeDeepening::iterate(int depth) {
    for (RootMove& move : search_.root_moves()) {
        if (move.has_result()) move.previous = move.current;
        move.current.value = -kInfinite;
        move.effort = 0;
    }
    for (std::size_t i = 0; i < lines() && !search_.ended(); ++i) search_line(depth, i);
    if (search_.ended()) return;
    // Each line was searched after those before it, and may have turned out better than they.
    std::vector<RootMove>& moves = search_.root_moves();
    std::stable_sort(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(lines()),
                     is_better);
    finished_depth_ = depth;
}

bool IterativeDeepening::is_enough(int depth) {
    if (task_.limits.depth && depth >= *task_.limits.depth) return true;
    const RootMove& best = search_.root_moves().front();
    const auto mate = mate_distance(best.current.value);
    if (task_.limits.mate && mate && *mate > 0 && *mate <= *task_.limits.mate) return true;
    if (!task_.time.limits_time()) return false;
    // An iteration deeper than the mate would have found a shorter one.
    if (mate && depth > 2 * std::abs(*mate) + 2) return true;
    instability_ = 0.6 * instability_ + (best.move == last_best_ ? 0.0 : 1.0);
    last_best_ = best.move;
    return task_.time.is_enough(task_.signals, share_of_time(best));
}

double IterativeDeepening::share_of_time(const RootMove& best) {
    const std::vector<RootMove>& moves = search_.root_moves();
    if (moves.size() == 1) return 0.05;
    // Less time where nearly all work went into the best move, because the others were refuted at
    // once; more where it has just become worse.
    double effort = 0;
    for (const RootMove& move : moves) effort += static_cast<double>(move.effort);
    const double on_best = static_cast<double>(best.effort) / std::max(effort, 1.0);
    const double fall = last_value_ ? static_cast<double>(*last_value_ - best.current.value) : 0.0;
    last_value_ = best.current.value;
    const double by_fall = std::clamp(1 + fall / kFallWorthDouble, 0.8, 1.6);
    return std::min((0.45 + 0.35 * instability_) * (1.4 - 0.7 * on_best) * by_fall, 2.0);
}

Line IterativeDeepening::line_of(const RootMove& move) const {
    Line line = move.has_result() ? move.current : move.previous;
    if (line.value == -kInfinite) {
        line = {move.latent, Bound::Exact, {move.move}};
    } else {
        line.value = shared_.log_odds.to_plan(line.value, draw_);
    }
    if (task_.tablebase_value && !is_mate(line.value)) line.value = *task_.tablebase_value;
    if (line.moves.size() > 1 || move.finished) return line;
    // A line that a cutoff cut short goes on with the answer that the table knows.
    const chess::Position next = task_.root().after(move.move);
    const auto entry = shared_.table.find(table_key(next, task_.model.traits().reads_counters));
    if (entry && chess::legal_moves(next).contains(entry->move)) line.moves.push_back(entry->move);
    return line;
}

std::vector<Line> IterativeDeepening::best_lines() {
    const std::vector<RootMove>& moves = search_.root_moves();
    std::vector<Line> found;
    std::size_t searched = 0;  // lines of this iteration, which come first
    for (std::size_t i = 0; i < lines(); ++i) {
        found.push_back(line_of(moves[i]));
        if (moves[i].has_result() && searched == i) ++searched;
    }
    std::stable_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(searched),
                     [](const Line& a, const Line& b) { return a.value > b.value; });
    if (searched == 0) return found;
    // The others were not better than the last of these at its depth, whatever the iteration before
    // said of them.
    const Line worst = found[searched - 1];
    for (std::size_t i = searched; i < found.size(); ++i) {
        if (found[i].value <= worst.value) continue;
        found[i].value = worst.value;
        found[i].bound = Bound::Upper;
        found[i].depth = worst.depth;
        found[i].selective_depth = worst.selective_depth;
    }
    return found;
}

Effort IterativeDeepening::effort() const {
    Effort effort;
    effort.nodes = shared_.scored;
    effort.embedded = shared_.embedded;
    effort.beam_nodes = search_.visited();
    effort.tablebase_hits = search_.tablebase_hits();
    effort.time = task_.time.elapsed();
    effort.hash_permille = shared_.table.permille_used();
    return effort;
}

void IterativeDeepening::report() {
    search_.publish_effort();
    int number = 0;
    for (Line& line : best_lines()) {
        task_.observer.on_info({++number, std::move(line), effort()});
    }
}

void IterativeDeepening::run(int start_depth) {
    for (int depth = start_depth; depth <= kMaxDepth && !search_.ended(); ++depth) {
        iterate(depth);
        if (!leads_) continue;
        if (!search_.ended()) report();
        if (!search_.ended() && is_enough(depth)) break;
    }
    if (leads_) shared_.ended = true;
    search_.publish_effort();
}

Plan IterativeDeepening::plan() {
    Plan plan;
    plan.depth = finished_depth_;
    plan.lines = best_lines();
    for (const RootMove& move : search_.root_moves()) {
        plan.root.push_back({move.move, move.latent, line_of(move).value, move.visited, 0});
    }
    set_priors(plan.root);
    plan.effort = effort();
    return plan;
}

// Ends and joins the helpers also where the leader runs out of memory.
struct JoinedHelpers {
    std::vector<std::thread>& threads;
    std::atomic<bool>& ended;

    ~JoinedHelpers() {
        ended = true;
        wait();
    }
    void wait() const {
        for (std::thread& thread : threads) {
            if (thread.joinable()) thread.join();
        }
    }
};

}  // namespace

void DeepMemory::prepare(const model::LoadedModel& model, int threads) {
    if (!log_odds_) log_odds_.emplace(model);
    while (threads_.size() < static_cast<std::size_t>(threads)) threads_.emplace_back(model);
}

void DeepMemory::resize(std::size_t hash_megabytes) {
    table.resize(hash_megabytes);
    for (ThreadMemory& thread : threads_) thread.clear();
}

void DeepMemory::clear() {
    table.clear();
    for (ThreadMemory& thread : threads_) thread.clear();
}

Plan run_deep_plan(const Task& task, DeepMemory& memory) {
    memory.table.age();
    memory.prepare(task.model, task.settings.threads);
    SharedSearch shared{memory.table, memory.log_odds()};
    for (int t = 0; t < task.settings.threads; ++t) memory.of_thread(t).moves.history.fade();
    struct Help {
        std::uint64_t visited = 0;
        std::uint64_t tablebase_hits = 0;
    };
    std::vector<Help> help(static_cast<std::size_t>(task.settings.threads));
    std::vector<std::thread> helpers;
    for (int t = 1; t < task.settings.threads; ++t) {
        const auto work = [&task, &shared, &own = memory.of_thread(t),
                           &done = help[static_cast<std::size_t>(t)], t] {
            try {
                IterativeDeepening helper(task, shared, own, DeepSearch::Role::Helper);
                // Every second helper is one ply ahead, so that threads do not repeat each other.
                helper.run(1 + t % 2);
                done = {helper.search().visited(), helper.search().tablebase_hits()};
            } catch (const std::bad_alloc&) {
                // The leader goes on without it.
            }
        };
        if (!start_thread(helpers, work)) break;
    }
    const JoinedHelpers joined{helpers, shared.ended};
    IterativeDeepening leader(task, shared, memory.of_thread(0), DeepSearch::Role::Leader);
    leader.run(1);
    joined.wait();
    Plan plan = leader.plan();
    for (const Help& done : help) {
        plan.effort.beam_nodes += done.visited;
        plan.effort.tablebase_hits += done.tablebase_hits;
    }
    return plan;
}

}  // namespace solis::planner
