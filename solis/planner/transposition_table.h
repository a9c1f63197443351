// Transposition table: search results by position, shared by all threads without locks.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "solis/base/zeroed_pages.h"
#include "solis/chess/types.h"
#include "solis/planner/plan.h"

namespace solis::planner {

struct TableEntry {
    chess::Move move;         // best or refuting; may be none
    Value value = 0;          // mates counted from this position, not from the root
    Value latent = kNoValue;  // of the position itself; kNoValue where it is not known
    int depth = 0;
    Bound bound = Bound::Exact;
    bool principal = false;  // it has been part of a principal variation

    static constexpr Value kNoValue = -32'768;
};

// A value counted from the root as the table keeps it, and back.
[[nodiscard]] constexpr Value to_table(Value value, int ply) {
    if (!is_decided(value)) return value;
    return value > 0 ? value + ply : value - ply;
}
[[nodiscard]] constexpr Value from_table(Value value, int ply) {
    if (!is_decided(value)) return value;
    return value > 0 ? value - ply : value + ply;
}

// Whether a stored value makes a search of the window unnecessary. A bound does so only where the
// value lies on the right side of the window.
[[nodiscard]] constexpr bool decides(Bound bound, Value value, Value alpha, Value beta) {
    return bound == Bound::Exact || (bound == Bound::Lower && value >= beta) ||
           (bound == Bound::Upper && value <= alpha);
}

// Buckets of four entries of 16 bytes. The key is stored mixed with the data: an entry that two
// threads wrote at once does not match its key and is not found.
class TranspositionTable {
  public:
    // Where there is no such memory, half as much is taken, and so on.
    explicit TranspositionTable(std::size_t megabytes) { resize(megabytes); }

    // An empty table of this size. The old one is given back first.
    void resize(std::size_t megabytes);
    [[nodiscard]] std::size_t megabytes() const { return megabytes_; }

    [[nodiscard]] std::optional<TableEntry> find(std::uint64_t key) const;
    // Keeps the deeper or newer entries of a bucket. Keeps a known move where the new entry has
    // none.
    void store(std::uint64_t key, const TableEntry& entry);
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }

    // Entries of earlier plans become the first to be replaced.
    void age() { generation_ = static_cast<std::uint8_t>((generation_ + 1) & kGenerationMask); }
    void clear();
    // How full it is with entries of this plan, in thousandths.
    [[nodiscard]] int permille_used() const;

  private:
    static constexpr int kGenerationMask = 31;
    // Plain numbers, so that zeroed memory is a valid table. They are read and written as atomics.
    struct Slot {
        std::uint64_t mixed_key;
        std::uint64_t data;
    };
    [[nodiscard]] static std::uint64_t load(std::uint64_t& word) {
        return std::atomic_ref(word).load(std::memory_order_relaxed);
    }
    static void save(std::uint64_t& word, std::uint64_t value) {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }
    struct alignas(64) Bucket {
        std::array<Slot, 4> slots;
    };

    [[nodiscard]] Bucket& bucket(std::uint64_t key) const {
        return buckets_[static_cast<std::size_t>(
            (static_cast<unsigned __int128>(key) * bucket_count_) >> 64)];
    }
    [[nodiscard]] int worth(std::uint64_t data) const;

    std::size_t megabytes_ = 0;
    std::size_t bucket_count_ = 0;
    std::optional<ZeroedPages> memory_;
    Bucket* buckets_ = nullptr;  // memory_ as buckets
    std::uint8_t generation_ = 1;
};

}  // namespace solis::planner
