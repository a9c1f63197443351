// One thread of the deep plan: alpha-beta in which the latent rank of a child among its siblings
// decides how deep it is searched.
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "solis/planner/deep/children.h"
#include "solis/planner/task.h"
#include "solis/planner/transposition_table.h"

namespace solis::planner {

// A move at the root with the result of its last search.
struct RootMove {
    chess::Move move;
    bool finished = false;  // the move ends the game; the rules gave `latent`
    Value latent = 0;
    Line current{-kInfinite};   // of this iteration; -kInfinite: not known to be among the best
    Line previous{-kInfinite};  // the last exact result of an iteration before
    std::uint64_t visited = 0;  // positions below it
    std::uint64_t effort = 0;   // of them, in the last search of the move

    // Whether this iteration has searched the move so far that its line may be shown. A value that
    // failed low is no result: the search with a wider window was to follow.
    [[nodiscard]] bool has_result() const {
        return current.value > -kInfinite && current.bound != Bound::Upper;
    }
};

// What the threads of one plan share.
struct SharedSearch {
    TranspositionTable& table;
    std::atomic<bool> ended{false};
    // Work of all threads; each adds its own every few nodes.
    std::atomic<std::uint64_t> scored{0};
    std::atomic<std::uint64_t> embedded{0};
};

// What one thread keeps from one move to the next.
struct ThreadMemory {
    std::unique_ptr<model::Evaluator> evaluator;
    ScoreCache cache;
    MoveMemory moves;

    explicit ThreadMemory(const model::LoadedModel& model) : evaluator(model.make_evaluator()) {}
    // For a new game. The evaluator keeps its memory: an embedding does not depend on the game.
    void clear() {
        cache.clear();
        moves = {};
    }
};

// All values are for the side to move at the node they belong to. Time enters through
// Task::must_end only.
class DeepSearch {
  public:
    // Only the leader checks the limits; when it ends, the helpers end, too.
    enum class Role { Leader, Helper };

    // All must outlive it.
    DeepSearch(const Task& task, SharedSearch& shared, ThreadMemory& memory, Role role);

    // Searches the root moves from index `first` on and returns the value of the best of them. The
    // value is a bound where it does not lie between alpha and beta, and means nothing once
    // ended() is true.
    Value search_root(int depth, Value alpha, Value beta, std::size_t first);

    [[nodiscard]] bool ended() const {
        // Helpers, too, look at the stop signal, because the leader may be without a core.
        return shared_.ended.load(std::memory_order_relaxed) || task_.signals.stopped() ||
               scorer_.interrupted();
    }
    [[nodiscard]] std::vector<RootMove>& root_moves() { return root_moves_; }
    // Positions that search() and quiescence() were called for.
    [[nodiscard]] std::uint64_t visited() const { return visited_; }
    [[nodiscard]] std::uint64_t embedded() const { return scorer_.embedded(); }
    [[nodiscard]] std::uint64_t tablebase_hits() const { return tablebase_hits_; }
    // Adds the work of this thread to that of all.
    void publish_effort();

  private:
    // A position on the path from the root to the node being searched.
    struct Node {
        const chess::Position& position;
        int ply;       // distance from the root
        Value latent;  // its own score, which came with the scores of its siblings
        bool in_check;
        bool allow_null_move;  // two null moves in a row would only waste depth
        bool expect_cut;       // its parent's first child was good: this one will fail high
    };
    struct Window {
        Value alpha;
        Value beta;
        // A null window [alpha, alpha + 1] only asks whether the value is above alpha.
        [[nodiscard]] bool is_null() const { return beta - alpha == 1; }
        [[nodiscard]] Window negated() const { return {-beta, -alpha}; }
    };
    // Working memory of one ply: the children of its node, the principal variation from it, and
    // what the nodes below it want to know.
    struct Frame {
        std::vector<Child> children;
        std::vector<chess::Move> line;
        Value latent = kNoScore;      // of its node; kNoScore in check
        PieceTo played = kNoPieceTo;  // the move that is being searched
        chess::Move excluded;         // a move left out, to see whether it has a rival
        std::array<chess::Move, 2> killers;
    };
    static constexpr Value kNoScore = TableEntry::kNoValue;
    // The best child so far in the loop over a node's moves.
    struct Best {
        Value value = -kInfinite;
        chess::Move move;
    };
    // How the moves of a node are to be searched.
    struct Course {
        int depth;
        Window window;
        chess::Move table_move;  // may be none
        int table_extension;     // plies more, or less, for the table's move
        bool improving;          // the mover's score is better than at its move before
    };
    // How one child is to be searched.
    struct Step {
        int depth;  // of the node
        Window window;
        int rank;  // among the children that are searched
        int less;  // plies less in the first, short look
        int extension;
    };

    Value search(const Node& node, int depth, Window window);
    // Searches captures, promotions and answers to checks only, so that the latent score of a leaf
    // is not taken in the middle of an exchange. `plies` counts the plies of quiescence so far.
    Value quiescence(const Node& node, Window window, int plies);
    // Embeds what quiescence looks at: all evasions, or the captures that may bring the score
    // `standing` above alpha. Says how much the best of the others was expected to be worth.
    Value list_quiescence(const Node& node, bool evades, Value standing, Value alpha);
    // The value of a draw by rule, a tablebase position, or a node that no shorter mate can come
    // out of. Narrows the window to the mates that are still possible.
    [[nodiscard]] std::optional<Value> early_result(const Node& node, Window& window);
    // Whether the mover's latent score is better than at its move before. Notes the score for the
    // nodes below.
    [[nodiscard]] bool note_improving(const Node& node);
    // The node's value where `estimate` is so far above beta that a shallow search would not
    // bring it down.
    [[nodiscard]] std::optional<Value> reverse_futility(int depth, Window window, Value estimate,
                                                        bool improving) const;
    // The node's value where it stays above beta even after the side to move passes.
    [[nodiscard]] std::optional<Value> null_move_cutoff(const Node& node, int depth, Window window,
                                                        Value estimate);
    // Whether the table's move has a rival. Sets course.table_extension; a value where even the
    // rivals reach beta.
    [[nodiscard]] std::optional<Value> look_for_rival(const Node& node, Course& course,
                                                      const TableEntry& entry);
    Value search_moves(const Node& node, const Course& course);
    // Leaves out groups of children before they are embedded. Raises `best` to what they are
    // expected to be worth at most.
    void skip_groups(const Node& node, const Course& course, ChildStream& stream, Value alpha,
                     Best& best) const;
    // Futility of one child: its latent score is too far below alpha for the depth it would be
    // searched to.
    [[nodiscard]] bool is_futile(const Node& node, const Child& child, const Step& step) const;
    [[nodiscard]] int reduction_of(const Node& node, const Child& child, const Course& course,
                                   Window window, int rank) const;
    // Value of `child` for the side to move at `node`: a principal variation search.
    Value search_child(const Node& node, const Child& child, const Step& step);
    // Rewards the move that caused a cutoff and punishes the `tried` children before it.
    void update_history(const Node& node, int depth, chess::Move refutation, std::size_t tried);
    void store(const Node& node, int depth, const Best& best, Window window);
    // The principal variation of `ply` becomes `move` followed by that of the next ply.
    void extend_line(int ply, chess::Move move);

    [[nodiscard]] MovesBefore moves_before(int ply) const {
        return {ply < 1 ? kNoPieceTo : frames_[static_cast<std::size_t>(ply - 1)].played,
                ply < 2 ? kNoPieceTo : frames_[static_cast<std::size_t>(ply - 2)].played};
    }

    // The value of a finished child, with mates counted from the root; its parent is at `ply`.
    [[nodiscard]] Value value_at(const Child& child, int ply) const;
    // Counts a visit, and now and then publishes the effort and checks the limits.
    void count_visit();
    [[nodiscard]] Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply)]; }
    [[nodiscard]] std::uint64_t key_of(const chess::Position& position) const {
        return table_key(position, reads_counters_);
    }

    const Task& task_;
    Role role_;
    const DeepTuning& tuning_;
    SharedSearch& shared_;
    MoveMemory& moves_;
    ChildScorer scorer_;
    bool reads_counters_;  // whether the encoder reads the move counters
    std::vector<RootMove> root_moves_;
    Value root_latent_ = 0;
    std::vector<Frame> frames_;
    std::vector<std::uint64_t> keys_;  // of the game, then of the path to the current node
    std::size_t game_length_;          // how many of keys_ belong to the game
    std::uint64_t visited_ = 0;
    std::uint64_t tablebase_hits_ = 0;
    std::uint64_t published_scored_ = 0;
    std::uint64_t published_embedded_ = 0;
    int selective_depth_ = 0;
    int root_depth_ = 0;  // of the iteration
};

}  // namespace solis::planner
