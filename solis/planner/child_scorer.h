// Children of a position with their latent values: what every plan ranks.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solis/chess/movegen.h"
#include "solis/planner/value.h"

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
    // All must outlive it. `tempo` is taken off the value of having the move.
    ChildScorer(const model::LoadedModel& model, const ValueScale& scale, Value tempo = 0)
        : model_(model),
          own_evaluator_(model.make_evaluator()),
          evaluator_(own_evaluator_.get()),
          traits_(model.traits()),
          scale_(scale),
          tempo_(tempo) {}
    // The same with an evaluator of the model that is there already: large ones take milliseconds
    // to be made, and remember what they have embedded.
    ChildScorer(const model::LoadedModel& model, model::Evaluator& evaluator,
                const ValueScale& scale, Value tempo)
        : model_(model),
          evaluator_(&evaluator),
          traits_(model.traits()),
          scale_(scale),
          tempo_(tempo) {}

    // Siblings are shared by so many threads where the encoder is slow.
    void use_threads(std::size_t threads) {
        if (traits_.positions_per_look == SIZE_MAX || threads < 2) return;
        evaluator_->use_threads(threads);
        traits_.positions_per_look *= threads;
    }
    // Asked every few milliseconds where the encoder is slow. Once it says yes, nothing more is
    // embedded, and children without a score rank last.
    void interrupt_when(std::function<bool()> unwanted) { unwanted_ = std::move(unwanted); }
    [[nodiscard]] bool interrupted() const { return interrupted_; }

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

    // Positions scored so far: embedded, or decided by the rules.
    [[nodiscard]] std::uint64_t scored() const { return scored_; }
    [[nodiscard]] std::uint64_t embedded() const { return embedded_; }
    void reset_counts() { scored_ = embedded_ = 0; }

  private:
    // Value of a position for its side to move. Distances to mate know whose move it is: the tempo
    // is for the other scores.
    [[nodiscard]] Value value_of(const chess::Position& position, float score) const {
        return scale_.of_score(score, position) - (model_.has_ending(position) ? 0 : tempo_);
    }
    void embed_unknown(const chess::Position& parent, std::span<Child> children);
    // Fills scores_ for positions_; says how many it came to.
    [[nodiscard]] std::size_t embed_positions(const chess::Position& parent);

    const model::LoadedModel& model_;
    std::unique_ptr<model::Evaluator> own_evaluator_;  // may be null
    model::Evaluator* evaluator_;
    model::EncoderTraits traits_;
    const ValueScale& scale_;
    Value tempo_;
    std::function<bool()> unwanted_;
    bool interrupted_ = false;
    std::size_t since_look_ = 0;  // embedded since unwanted_ was asked
    std::uint64_t scored_ = 0;
    std::uint64_t embedded_ = 0;
    // Of the children that the rules do not decide: where they stand in the list, and what they
    // are.
    std::vector<std::size_t> unknown_;
    std::vector<chess::Position> positions_;
    std::vector<float> scores_;
};

// Best first; equal values keep their order.
void rank(std::vector<Child>& children);

}  // namespace solis::planner
