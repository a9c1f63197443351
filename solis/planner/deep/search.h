// One thread of the deep plan: alpha-beta over latent values.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "solis/planner/deep/maybe_value.h"
#include "solis/planner/deep/move_picker.h"
#include "solis/planner/deep/node_scorer.h"
#include "solis/planner/deep/tuning.h"
#include "solis/planner/task.h"
#include "solis/planner/transposition_table.h"

namespace solis::planner {

// A move at the root with the result of its last search. Values of lines are log-odds.
struct RootMove {
    chess::Move move;
    bool finished = false;      // the move ends the game; the rules gave `latent`
    Value latent = 0;           // for the side that plays it, on the scale of all plans
    Line current{-kInfinite};   // of this iteration; -kInfinite: not known to be among the best
    Line previous{-kInfinite};  // the last exact result of an iteration before
    std::uint64_t visited = 0;  // positions below it
    std::uint64_t effort = 0;   // of them, in this iteration

    // Whether this iteration has searched the move so far that its line may be shown. A value that
    // failed low is no result: the search with a wider window was to follow.
    [[nodiscard]] bool has_result() const {
        return current.value > -kInfinite && current.bound != Bound::Upper;
    }
};

// What the threads of one plan share.
struct SharedSearch {
    TranspositionTable& table;
    const LogOdds& log_odds;
    std::atomic<bool> ended{false};
    // Work of all threads; each adds its own every few nodes.
    std::atomic<std::uint64_t> scored{0};
    std::atomic<std::uint64_t> embedded{0};
};

// What one thread keeps from one move to the next.
struct ThreadMemory {
    std::unique_ptr<model::Evaluator> evaluator;
    LatentCache cache;
    MoveMemory moves;

    explicit ThreadMemory(const model::LoadedModel& model) : evaluator(model.make_evaluator()) {}
    // For a new game. The evaluator keeps its memory: an embedding does not depend on the game.
    void clear() {
        cache.clear();
        moves = {};
    }
};

// All values are log-odds for the side to move at the node they belong to. Time enters through
// Task::must_end only.
class DeepSearch {
  public:
    // The leader checks the limits and ends all, a helper does so only where the encoder is slow.
    // Otherwise a helper ends itself when the work is done, because the leader may be without a
    // core.
    enum class Role { Leader, Helper };

    // All must outlive it.
    DeepSearch(const Task& task, SharedSearch& shared, ThreadMemory& memory, Role role);

    // Searches the root moves from index `first` on and returns the value of the best of them. The
    // value is a bound where it does not lie between alpha and beta, and means nothing once
    // ended() is true.
    Value search_root(int depth, Value alpha, Value beta, std::size_t first);

    [[nodiscard]] bool ended() const {
        // Helpers, too, look at the stop signal, because the leader may be without a core.
        return done_ || shared_.ended.load(std::memory_order_relaxed) || task_.signals.stopped();
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
        int ply;  // distance from the root
        bool in_check;
        bool expect_cut;  // its parent's first move was good: this one will fail high
    };
    struct Window {
        Value alpha;
        Value beta;
        // A null window [alpha, alpha + 1] only asks whether the value is above alpha.
        [[nodiscard]] bool is_null() const { return beta - alpha == 1; }
        [[nodiscard]] Window negated() const { return {-beta, -alpha}; }
    };
    static constexpr Value kNoScore = TableEntry::kNoValue;
    // What a node knows before its moves are searched, and what the nodes below want to know.
    struct Frame {
        Value latent = kNoScore;      // as the encoder says; kNoScore in check
        Value value = kNoScore;       // corrected; in check that of two plies before
        PieceTo played = kNoPieceTo;  // the move that is being searched
        bool quiet = false;           // it is
        bool passed = false;          // a null move is being searched
        chess::Move excluded;         // a move left out, to see whether it has a rival
        int reduced = 0;              // plies by which the move being searched was reduced
        int cutoffs = 0;              // of its children since it was entered
        Threats threats;              // to the side to move
        std::array<chess::Move, 2> killers;
        int line_length = 0;
        std::array<chess::Move, kMaxPly + 2> line;  // the principal variation from here
    };
    // What is known of a node when its moves are about to be searched.
    struct Course {
        int depth;
        Window window;
        std::optional<TableEntry> entry;
        Value value;         // corrected latent value; kNoScore in check
        bool improving;      // the mover's value is better than at its move before
        bool whole;          // no move is left out
        bool was_principal;  // it is or has been part of a principal variation
        // A node of an open window, which the principal variation may pass.
        [[nodiscard]] bool principal() const { return !window.is_null(); }
        [[nodiscard]] chess::Move table_move() const { return entry ? entry->move : chess::Move(); }
    };
    // The moves of a node so far.
    struct Progress {
        Value best = -kInfinite;
        chess::Move best_move;
        int quiet_count = 0;
        int capture_count = 0;
        std::array<chess::Move, 64> quiets;    // searched
        std::array<chess::Move, 32> captures;  // searched

        // Remembers a move that was searched; those beyond the room there is do not matter.
        void add(chess::Move move, bool quiet) {
            if (quiet && quiet_count < static_cast<int>(quiets.size())) {
                quiets[static_cast<std::size_t>(quiet_count++)] = move;
            } else if (!quiet && capture_count < static_cast<int>(captures.size())) {
                captures[static_cast<std::size_t>(capture_count++)] = move;
            }
        }
    };
    // One move that is about to be searched.
    struct Candidate {
        chess::Move move;
        bool quiet;
        bool losing;  // a capture that loses an exchange
        bool check;
        int tendency;       // of a quiet move
        int reduction = 0;  // in plies, before it is limited to the depth that there is
    };

    Value search(const Node& node, int depth, Window window);
    // Searches captures, promotions and answers to checks only, so that the latent value of a leaf
    // is not taken in the middle of an exchange.
    Value quiescence(const Node& node, Window window);
    // The value of a draw by rule, a tablebase position, or a node that no shorter mate can come
    // out of. Narrows the window to the mates that are still possible.
    [[nodiscard]] MaybeValue early_result(const Node& node, Window& window);
    // Fills in the frame's values.
    void appraise(const Node& node, const std::optional<TableEntry>& entry);
    [[nodiscard]] bool is_improving(const Node& node) const;

    // Pruning of whole nodes (node_pruning.cpp): each gives the node's value, or none.
    [[nodiscard]] MaybeValue reverse_futility(const Course& course, Value estimate) const;
    [[nodiscard]] MaybeValue razor(const Node& node, const Course& course, Value estimate);
    [[nodiscard]] MaybeValue null_move_cutoff(const Node& node, const Course& course,
                                              Value estimate);
    [[nodiscard]] MaybeValue probcut(const Node& node, const Course& course);
    // How much deeper the table's move is searched, because it has no rival, or less deep. A value
    // where even the rivals reach beta.
    struct Singular {
        int extension = 0;
        MaybeValue cutoff = std::nullopt;
    };
    [[nodiscard]] Singular look_for_rival(const Node& node, const Course& course);

    // Pruning and reductions of single moves (move_pruning.cpp).
    [[nodiscard]] int reduction_of(const Node& node, const Course& course, const Candidate& move,
                                   int rank) const;
    // Whether the move is left out. May tell the picker to leave out all quiet moves to come.
    [[nodiscard]] bool is_pruned(const Node& node, const Course& course, const Candidate& move,
                                 int rank, Value alpha, Progress& progress, MovePicker& picker);

    Value search_moves(const Node& node, const Course& course);
    // Value of a move for the side to move at `node`: a principal variation search.
    Value search_move(const Node& node, const Course& course, const Candidate& move, Value alpha,
                      Value best, int rank, int extension);
    // A search below `node` after `move`.
    Value search_child(const Node& node, const chess::Position& position, const Candidate& move,
                       int depth, Window window, bool expect_cut);
    // Of a move that cut off, for the histories.
    [[nodiscard]] int bonus_of(int depth) const {
        return std::min(tuning_.history_square * depth * depth + tuning_.history_linear * depth,
                        tuning_.history_most);
    }
    // What the moves of a node leave behind: histories, an entry of the table, corrections.
    void learn(const Node& node, const Course& course, const Progress& progress);
    void update_history(const Node& node, int depth, const Progress& progress);
    void store(const Node& node, int depth, Value best, chess::Move move, Window window,
               bool was_principal);
    // The table's move would cut off again: a bonus for it where it is quiet.
    void reward_table_move(const Node& node, int depth, chess::Move move);
    // A quiet move led here, and nothing beats it: a bonus for it.
    void reward_last_move(const Node& node, const Course& course);
    // The principal variation of `ply` becomes `move` followed by that of the next ply.
    void extend_line(int ply, chess::Move move);

    // The threats of the frame must be set.
    [[nodiscard]] MoveContext move_context(int ply) const {
        return {played(ply - 1), played(ply - 2), played(ply - 4), frame(ply).threats.all};
    }
    [[nodiscard]] PieceTo played(int ply) const {
        return ply < 0 ? kNoPieceTo : frames_[static_cast<std::size_t>(ply)].played;
    }
    // Fetches what the tables know of the position after a move, while there is other work to do.
    void prefetch_child(const chess::Position& position, chess::Move move) const {
        const std::uint64_t key = position.likely_key_after(move);
        shared_.table.prefetch(key);
        scorer_.prefetch(key);
        // Without a statement that stays, gcc 12 takes a function that only fetches for one that
        // does nothing, and leaves out the calls of it.
        asm volatile("");
    }
    // Counts a visit, and now and then publishes the effort and checks the limits.
    void count_visit();
    [[nodiscard]] Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply)]; }
    [[nodiscard]] const Frame& frame(int ply) const {
        return frames_[static_cast<std::size_t>(ply)];
    }

    const Task& task_;
    Role role_;
    const DeepTuning& tuning_;
    SharedSearch& shared_;
    MoveMemory& moves_;
    NodeScorer scorer_;
    std::vector<RootMove> root_moves_;
    std::vector<Frame> frames_;
    std::vector<std::uint64_t> keys_;  // of the game, then of the path to the current node
    std::size_t game_length_;          // how many of keys_ belong to the game
    std::uint64_t visited_ = 0;
    std::uint64_t tablebase_hits_ = 0;
    std::uint64_t published_visits_ = 0;
    std::uint64_t published_embedded_ = 0;
    bool done_ = false;  // a helper: the limits of the work are reached
    int selective_depth_ = 0;
    int root_depth_ = 0;  // of the iteration
};

}  // namespace solis::planner
