// The puct plan: best first. Priors are a softmax over latent scores, values come from calibration.
#pragma once
#include <cstdint>
#include <mutex>
#include <vector>

#include "solis/planner/child_scorer.h"
#include "solis/planner/puct/tree.h"
#include "solis/planner/task.h"

namespace solis::planner {

// All threads work on one tree under one lock; embedding, which is nearly all of the work, happens
// outside of it. One thread gives the same plan every time.
class PuctPlan {
  public:
    // Makes a new tree in the memory of `tree`, which must outlive the plan.
    PuctPlan(const Task& task, PuctTree& tree);

    [[nodiscard]] Plan run();

  private:
    static constexpr std::uint32_t kRoot = 0;
    using Path = std::vector<std::uint32_t>;
    // A leaf and the path to it.
    struct Leaf {
        Path path;
        chess::Position position;
        std::vector<std::uint64_t> keys;
    };

    void work(bool first_thread);
    void work_while_memory_lasts(bool first_thread);
    // Descends to the leaf of largest upper confidence bound and counts a visit along the path.
    // False where another thread is expanding that leaf.
    [[nodiscard]] bool select(Leaf& leaf);
    [[nodiscard]] std::uint32_t best_child(const PuctNode& node) const;
    // Win probability of the leaf for the side to move there, where the rules or tablebases decide
    // it, or where the tree is full.
    [[nodiscard]] std::optional<double> known_value(const Leaf& leaf);
    void expand(std::uint32_t index, const std::vector<Child>& children, chess::Color mover);
    void back_up(const Path& path, double for_mover);
    // Marks the node as decided where its children prove a mate.
    void prove(PuctNode& node);
    [[nodiscard]] bool is_full(std::size_t more) const;
    [[nodiscard]] std::vector<std::uint32_t> ranked_children(const PuctNode& node) const;
    [[nodiscard]] Line line_from(std::uint32_t child) const;
    [[nodiscard]] Value value_of(const PuctNode& node, chess::Color mover) const;
    [[nodiscard]] Effort effort() const;
    [[nodiscard]] int depth() const;
    void report();
    [[nodiscard]] bool must_end() const;
    // The part of it that every thread looks at.
    [[nodiscard]] bool is_done() const;

    const Task& task_;
    std::mutex mutex_;
    PuctTree& nodes_;
    std::size_t most_nodes_;
    std::uint64_t scored_ = 0;  // children scored, and leaves of known value
    std::uint64_t embedded_ = 0;
    std::uint64_t playouts_ = 0;
    std::uint64_t next_report_ = 64;
    std::uint64_t tablebase_hits_ = 0;
    std::uint64_t depth_sum_ = 0;
    int selective_depth_ = 0;
    bool ended_ = false;
};

}  // namespace solis::planner
