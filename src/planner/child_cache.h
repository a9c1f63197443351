// Children's scores of nodes seen before: iterative deepening comes back to most of them.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "planner/child_scorer.h"

namespace solis::planner {

// Of one thread. Holds all legal children in the order of chess::legal_moves. The newest entry of
// a slot stays.
class ChildCache {
  public:
    static constexpr std::size_t kMostChildren = 48;  // positions with more are not kept

    ChildCache() : entries_(std::make_unique<std::array<Entry, kEntries>>()) {}

    // False where it is not known. Fills `children` for these moves otherwise.
    [[nodiscard]] bool find(std::uint64_t key, std::span<const chess::Move> moves,
                            std::vector<Child>& children) const;
    void store(std::uint64_t key, const std::vector<Child>& children);
    void clear();

  private:
    static constexpr std::size_t kEntries = 1 << 14;
    struct Entry {
        std::uint64_t key = 0;
        std::uint64_t finished = 0;  // one bit each
        std::uint64_t checks = 0;
        std::uint8_t size = 0;
        std::array<std::int16_t, kMostChildren> values{};
    };

    std::unique_ptr<std::array<Entry, kEntries>> entries_;
};

}  // namespace solis::planner
