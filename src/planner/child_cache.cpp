// A direct-mapped table.
#include "planner/child_cache.h"

namespace solis::planner {

bool ChildCache::find(std::uint64_t key, std::span<const chess::Move> moves,
                      std::vector<Child>& children) const {
    const Entry& entry = (*entries_)[key % kEntries];
    if (entry.key != key || entry.size != moves.size()) return false;
    children.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        children.push_back({moves[i], (entry.finished >> i & 1) != 0, (entry.checks >> i & 1) != 0,
                            entry.values[i], 0});
    }
    return true;
}

void ChildCache::store(std::uint64_t key, const std::vector<Child>& children) {
    if (children.size() > kMostChildren) return;
    Entry& entry = (*entries_)[key % kEntries];
    entry.key = key;
    entry.size = static_cast<std::uint8_t>(children.size());
    entry.finished = entry.checks = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
        entry.finished |= std::uint64_t{children[i].finished} << i;
        entry.checks |= std::uint64_t{children[i].check} << i;
        entry.values[i] = static_cast<std::int16_t>(children[i].value);
    }
}

void ChildCache::clear() { entries_->fill(Entry{}); }

}  // namespace solis::planner
