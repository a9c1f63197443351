// Latent scores of positions seen before: iterative deepening comes back to most of them, and
// other move orders reach the same ones.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "solis/planner/value.h"

namespace solis::planner {

// Each thread has its own. Direct-mapped: a new entry replaces the one in its slot.
class ScoreCache {
  public:
    struct Known {
        Value value;  // for the side that is not to move: the one that moved there
        bool finished;
        bool check;
    };

    ScoreCache() : entries_(kEntries) {}

    [[nodiscard]] std::optional<Known> find(std::uint64_t key) const {
        const Entry& entry = entries_[key % kEntries];
        if (entry.key != key) return std::nullopt;
        return Known{entry.value, entry.finished, entry.check};
    }
    void store(std::uint64_t key, const Known& known) {
        entries_[key % kEntries] = {key, static_cast<std::int16_t>(known.value), known.finished,
                                    known.check};
    }
    void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&entries_[key % kEntries]); }

  private:
    static constexpr std::size_t kEntries = std::size_t{1} << 17;
    struct Entry {
        std::uint64_t key = 0;
        std::int16_t value = 0;
        bool finished = false;
        bool check = false;
    };

    std::vector<Entry> entries_;
};

}  // namespace solis::planner
