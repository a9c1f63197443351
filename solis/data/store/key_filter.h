// Remembers which keys it has seen, in bounded memory.
#pragma once
#include <cstdint>
#include <vector>

namespace solis::data {

// A hash table of 32-bit fingerprints: about five bytes per key. Where a key falls adds some twenty
// bits, so a new key is taken for a known one about once in a hundred million. When the memory is
// used up, further keys are not remembered and count as new: duplicates come through, nothing is
// lost.
class KeyFilter {
  public:
    // Room for `expected` keys, unless that takes more than `max_bytes`.
    KeyFilter(std::uint64_t expected, std::uint64_t max_bytes);

    // True if the key was not seen before. Keys should be hashes.
    bool insert(std::uint64_t key);
    [[nodiscard]] bool is_full() const { return used_ >= limit_; }

  private:
    std::vector<std::uint32_t> slots_;  // 0 is empty
    std::uint64_t used_ = 0;
    std::uint64_t limit_;
};

}  // namespace solis::data
