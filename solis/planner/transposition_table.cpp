// Packing of entries: move, value, latent value (16 bits each), depth (8), bound (2), principal
// (1), generation (5).
#include "solis/planner/transposition_table.h"

#include <algorithm>
#include <new>

namespace solis::planner {
namespace {

int depth_of(std::uint64_t data) { return static_cast<std::int8_t>(data >> 48); }
int generation_of(std::uint64_t data) { return static_cast<int>(data >> 59); }

std::uint64_t bits16(int value) { return static_cast<std::uint16_t>(value); }
Value value16(std::uint64_t bits) { return static_cast<std::int16_t>(bits); }

std::uint64_t pack(const TableEntry& entry, std::uint8_t generation) {
    const auto depth = static_cast<std::uint8_t>(std::clamp(entry.depth, -128, 127));
    return std::uint64_t{entry.move.bits()} | bits16(entry.value) << 16 |
           bits16(entry.latent) << 32 | std::uint64_t{depth} << 48 |
           static_cast<std::uint64_t>(entry.bound) << 56 | std::uint64_t{entry.principal} << 58 |
           std::uint64_t{generation} << 59;
}

TableEntry unpack(std::uint64_t data) {
    return {chess::Move::from_bits(static_cast<std::uint16_t>(data)),
            value16(data >> 16),
            value16(data >> 32),
            depth_of(data),
            static_cast<Bound>(data >> 56 & 3),
            (data >> 58 & 1) != 0};
}

}  // namespace

void TranspositionTable::resize(std::size_t megabytes) {
    memory_.reset();
    for (megabytes_ = std::max<std::size_t>(megabytes, 1);; megabytes_ /= 2) {
        bucket_count_ = megabytes_ * (1 << 20) / sizeof(Bucket);
        try {
            memory_.emplace(bucket_count_ * sizeof(Bucket));
            break;
        } catch (const std::bad_alloc&) {
            // Without a single megabyte nothing else works either.
            if (megabytes_ == 1) throw;
        }
    }
    buckets_ = static_cast<Bucket*>(memory_->data());
    generation_ = 1;
}

int TranspositionTable::worth(std::uint64_t data) const {
    if (data == 0) return -10'000;
    const int age = (generation_ - generation_of(data)) & kGenerationMask;
    return depth_of(data) - 8 * age;
}

std::optional<TableEntry> TranspositionTable::find(std::uint64_t key) const {
    for (Slot& slot : bucket(key).slots) {
        const std::uint64_t data = load(slot.data);
        if (data != 0 && (load(slot.mixed_key) ^ data) == key) {
            return unpack(data);
        }
    }
    return std::nullopt;
}

void TranspositionTable::store(std::uint64_t key, const TableEntry& entry) {
    Slot* target = nullptr;
    int least = 0;
    TableEntry written = entry;
    for (Slot& slot : bucket(key).slots) {
        const std::uint64_t data = load(slot.data);
        if (data != 0 && (load(slot.mixed_key) ^ data) == key) {
            const TableEntry known = unpack(data);
            // A bound from a shallow search does not replace the result of a much deeper one.
            if (entry.bound != Bound::Exact && entry.depth + 3 < known.depth &&
                generation_of(data) == generation_) {
                return;
            }
            if (written.move.is_none()) written.move = known.move;
            target = &slot;
            break;
        }
        if (const int worth_here = worth(data); target == nullptr || worth_here < least) {
            target = &slot;
            least = worth_here;
        }
    }
    const std::uint64_t data = pack(written, generation_);
    save(target->data, data);
    save(target->mixed_key, key ^ data);
}

void TranspositionTable::clear() {
    memory_->clear();
    generation_ = 1;
}

int TranspositionTable::permille_used() const {
    const std::size_t sample = std::min<std::size_t>(bucket_count_, 250);
    std::size_t used = 0;
    for (std::size_t b = 0; b < sample; ++b) {
        for (Slot& slot : buckets_[b].slots) {
            const std::uint64_t data = load(slot.data);
            if (data != 0 && generation_of(data) == generation_) ++used;
        }
    }
    return static_cast<int>(used * 1000 / (4 * sample));
}

}  // namespace solis::planner
