// What was found out about positions, shared by all threads without locks.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "chess/types.h"
#include "planner/plan.h"

namespace solis::planner {

struct TableEntry {
    chess::Move move;         // best or refuting; may be none
    Value value = 0;          // mates counted from this position, not from the root
    Value latent = kNoValue;  // of the position itself; kNoValue where it is not known
    int depth = 0;
    Bound bound = Bound::Exact;

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

// Buckets of four entries of 16 bytes. The key is stored mixed with the data: an entry that two
// threads wrote at once does not match its key and is not found.
class TranspositionTable {
  public:
    explicit TranspositionTable(std::size_t megabytes);

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
    static constexpr int kGenerationMask = 63;
    struct Slot {
        std::atomic<std::uint64_t> mixed_key{0};
        std::atomic<std::uint64_t> data{0};
    };
    struct alignas(64) Bucket {
        std::array<Slot, 4> slots;
    };

    [[nodiscard]] Bucket& bucket(std::uint64_t key) const {
        return buckets_[static_cast<std::size_t>(
            (static_cast<unsigned __int128>(key) * bucket_count_) >> 64)];
    }
    [[nodiscard]] int worth(std::uint64_t data) const;

    std::size_t bucket_count_;
    std::unique_ptr<Bucket[]> buckets_;
    std::uint8_t generation_ = 1;
};

}  // namespace solis::planner
