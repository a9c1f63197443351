// One thread of the deep plan: alpha-beta where latent rank decides how deep a child is looked at.
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "solis/planner/deep/children.h"
#include "solis/planner/task.h"
#include "solis/planner/transposition_table.h"

namespace solis::planner {

// A move at the root with what the last look at it found.
struct RootMove {
    chess::Move move;
    bool finished = false;  // by the rules, which gave the latent value
    Value latent = 0;
    Value value = -kInfinite;
    Value last_value = -kInfinite;  // of the iteration before
    int selective_depth = 0;
    std::uint64_t nodes = 0;
    std::vector<chess::Move> line;
};

// What the threads of one plan share.
struct SharedSearch {
    TranspositionTable& table;
    std::atomic<bool> ended{false};
    std::atomic<std::uint64_t> embedded{0};  // by all threads, a little behind
};

// What one thread keeps from one move to the next.
struct ThreadMemory {
    std::unique_ptr<model::Evaluator> evaluator;
    ScoreCache cache;
    MoveMemory moves;

    explicit ThreadMemory(const model::LoadedModel& model) : evaluator(model.make_evaluator()) {}
    // Forgets the game. What the evaluator remembers is true in any game.
    void clear() {
        cache.clear();
        moves = {};
    }
};

// Values are for the side to move. Knows no clock but Task::must_end.
class DeepSearch {
  public:
    // A helper leaves the limits to the leader, whose end is everybody's.
    enum class Role { Leader, Helper };

    // All must outlive it.
    DeepSearch(const Task& task, SharedSearch& shared, ThreadMemory& memory, Role role);

    // Looks at the root moves from `first` on, the best of which ends up there. The value is a
    // bound where it does not lie between alpha and beta, and nothing where ended() says so.
    Value search_root(int depth, Value alpha, Value beta, std::size_t first);

    [[nodiscard]] bool ended() const {
        // Every thread sees a stop itself: the leader may be waiting for a core.
        return shared_.ended.load(std::memory_order_relaxed) || task_.signals.stopped() ||
               scorer_.interrupted();
    }
    [[nodiscard]] std::vector<RootMove>& root_moves() { return root_moves_; }
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
    [[nodiscard]] std::uint64_t embedded() const { return scorer_.embedded(); }
    [[nodiscard]] std::uint64_t tablebase_hits() const { return tablebase_hits_; }
    // Tells the other threads how much this one has embedded.
    void publish_effort();

  private:
    // A node on the way from the root.
    struct Node {
        const chess::Position& position;
        int ply;
        Value latent;  // its own score, which its parent's batch gave
        bool in_check;
        bool may_pass;  // no pass right after a pass
    };
    struct Window {
        Value alpha;
        Value beta;
        [[nodiscard]] bool is_zero() const { return beta - alpha == 1; }
        [[nodiscard]] Window turned() const { return {-beta, -alpha}; }
    };
    // Working memory of one ply.
    struct Frame {
        std::vector<Child> children;
        std::vector<chess::Move> line;
    };
    // The running result of a node's loop over its moves.
    struct Best {
        Value value = -kInfinite;
        chess::Move move;
    };

    Value search(const Node& node, int depth, Window window);
    Value settle(const Node& node, Window window, int quiet_plies);
    // The value where the rules, the tables or the table decide without a look.
    [[nodiscard]] std::optional<Value> known_before(const Node& node, Window& window);
    // The value where the latent score alone says that the node fails.
    [[nodiscard]] std::optional<Value> pruned(int depth, Window window, Value estimate) const;
    [[nodiscard]] std::optional<Value> passed(const Node& node, int depth, Window window,
                                              Value estimate);
    Value search_moves(const Node& node, int depth, Window window, chess::Move table_move);
    // The most that the quiet moves left are expected to be worth, where that is not enough.
    [[nodiscard]] std::optional<Value> rest_is_too_little(const Node& node,
                                                          const ChildStream& stream, int depth,
                                                          Value alpha) const;
    // Whether the latent score says that a child need not be looked at.
    [[nodiscard]] bool is_hopeless(const Node& node, const Child& child, int rank, int depth,
                                   Value alpha) const;
    // Plays `child` and looks at it with all that reductions and zero windows save.
    Value look_at(const Node& node, const Child& child, int rank, int depth, Window window);
    [[nodiscard]] int reduction(const Node& node, const Child& child, int rank, int depth,
                                Window window) const;
    void learn(const Node& node, int depth, chess::Move refutation, std::size_t tried);
    void store(const Node& node, int depth, const Best& best, Window window);
    void extend_line(int ply, chess::Move move);

    [[nodiscard]] Value value_at(const Child& child, int ply) const;
    void check_limits();
    [[nodiscard]] std::uint64_t key_of(const chess::Position& position) const {
        return table_key(position, reads_counters_);
    }

    const Task& task_;
    Role role_;
    const DeepTuning& tuning_;
    SharedSearch& shared_;
    MoveMemory& moves_;
    ChildScorer scorer_;
    bool reads_counters_;  // the encoder
    std::vector<RootMove> root_moves_;
    Value root_latent_ = 0;
    std::vector<Frame> frames_;
    std::vector<std::uint64_t> keys_;  // the game's, then those down to the current node
    std::size_t game_length_;          // how many of them are the game's
    std::uint64_t nodes_ = 0;
    std::uint64_t tablebase_hits_ = 0;
    std::uint64_t published_ = 0;
    int selective_depth_ = 0;
};

}  // namespace solis::planner
