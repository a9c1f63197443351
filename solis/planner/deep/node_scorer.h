// Latent values of the positions that the deep plan visits.
#pragma once
#include <cstdint>
#include <vector>

#include "solis/base/aligned.h"
#include "solis/planner/deep/log_odds.h"
#include "solis/planner/deep/maybe_value.h"
#include "solis/planner/table_key.h"

namespace solis::planner {

// Values of positions seen before: iterative deepening comes back to most of them, and other orders
// of moves reach the same ones. Each thread has its own. A new entry replaces the one in its slot.
class LatentCache {
  public:
    LatentCache() : entries_(kEntries) {}

    [[nodiscard]] MaybeValue find(std::uint64_t key) const {
        const std::uint64_t entry = entries_[key % kEntries];
        if ((entry ^ key) >> kValueBits != 0) return std::nullopt;
        return static_cast<std::int16_t>(entry);
    }
    void store(std::uint64_t key, Value value) {
        entries_[key % kEntries] =
            (key >> kValueBits << kValueBits) | static_cast<std::uint16_t>(value);
    }
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&entries_[key % kEntries]); }
    void clear() { std::fill(entries_.begin(), entries_.end(), 0); }

  private:
    static constexpr std::size_t kEntries = std::size_t{1} << 17;
    static constexpr int kValueBits = 16;  // the rest of an entry are bits of the key

    AlignedVector<std::uint64_t> entries_;
};

// One per thread. All values are log-odds.
class NodeScorer {
  public:
    // All must outlive it. `tempo` is taken off the value of having the move.
    NodeScorer(const model::LoadedModel& model, model::Evaluator& evaluator,
               const ValueScale& scale, const LogOdds& log_odds, Value tempo, LatentCache& cache);

    // Value for the side to move, which must have a legal move. `key` is its table_key.
    [[nodiscard]] Value score(const chess::Position& position, std::uint64_t key);
    void prefetch(std::uint64_t key) const { cache_.prefetch(key); }

    [[nodiscard]] std::uint64_t key_of(const chess::Position& position) const {
        return table_key(position, traits_.reads_counters);
    }
    // Positions that went through the encoder.
    [[nodiscard]] std::uint64_t embedded() const { return embedded_; }
    // Whether so much was embedded since the last call that the clock must be looked at.
    [[nodiscard]] bool has_taken_long() {
        if (embedded_ - looked_ < traits_.positions_per_look) return false;
        looked_ = embedded_;
        return true;
    }

  private:
    [[nodiscard]] Value value_of(const chess::Position& position, float score) const;

    const model::LoadedModel& model_;
    model::Evaluator& evaluator_;
    model::EncoderTraits traits_;
    const ValueScale& scale_;
    const LogOdds& log_odds_;
    Value tempo_;
    LatentCache& cache_;
    std::uint64_t embedded_ = 0;
    std::uint64_t looked_ = 0;  // embedded_ when the clock was looked at
};

}  // namespace solis::planner
