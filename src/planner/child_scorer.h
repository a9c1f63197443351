// Children of a position with their latent values: what every plan ranks.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "chess/movegen.h"
#include "planner/score_cache.h"
#include "planner/value.h"

namespace solis::planner {

struct Child {
    chess::Move move;
    bool finished = false;  // the game ends there by the rules, which gave the value
    bool check = false;     // the move gives check
    Value value = 0;        // for the side that plays the move; a mate is "mate in 1 ply"
    int order = 0;          // by which a plan sorts them
};

// One per thread: scores all children of a node in one batch.
class ChildScorer {
  public:
    // All must outlive it. `tempo` is taken off the value of having the move. The cache, which
    // may be null, must come from the same model, scale and tempo.
    ChildScorer(const model::LoadedModel& model, const ValueScale& scale, Value tempo = 0,
                ScoreCache* cache = nullptr)
        : evaluator_(model.make_evaluator()), scale_(scale), tempo_(tempo), cache_(cache) {}

    // `children` becomes one entry for each of `moves`, in their order. Mate, stalemate and
    // insufficient material are seen here; repetition and the 50-move rule are for the plan.
    void score(const chess::Position& parent, std::span<const chess::Move> moves,
               std::vector<Child>& children) {
        children.clear();
        append(parent, moves, children);
    }
    // The same behind the children that are there already.
    void append(const chess::Position& parent, std::span<const chess::Move> moves,
                std::vector<Child>& children);
    // Value of one position for its side to move; the game must not be over there.
    [[nodiscard]] Value score(const chess::Position& position);

    [[nodiscard]] std::uint64_t embedded() const { return embedded_; }
    void reset_count() { embedded_ = 0; }

  private:
    [[nodiscard]] std::optional<ScoreCache::Known> known_child(
        const chess::Position& position) const {
        return cache_ == nullptr ? std::nullopt : cache_->find(position.key());
    }
    void remember(const chess::Position& position, const Child& child) {
        if (cache_ == nullptr) return;
        cache_->store(position.key(), {child.value, child.finished, child.check});
    }
    void embed_unknown(const chess::Position& parent, std::span<Child> children);

    std::unique_ptr<model::Evaluator> evaluator_;
    const ValueScale& scale_;
    Value tempo_;
    ScoreCache* cache_;
    std::uint64_t embedded_ = 0;
    // Of the children that are not known yet: where they stand in the list, and what they are.
    std::vector<std::size_t> unknown_;
    std::vector<chess::Position> positions_;
    std::vector<float> scores_;
};

// Best first; equal values keep their order.
void rank(std::vector<Child>& children);

}  // namespace solis::planner
