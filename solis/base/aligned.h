// Vectors whose storage starts on a cache line, as vector instructions like it. Large ones ask for
// huge pages: a network's memory then needs few entries of the address cache.
#pragma once
#include <cstddef>
#include <vector>

namespace solis {

inline constexpr std::size_t kCacheLine = 64;

[[nodiscard]] void* allocate_aligned(std::size_t bytes);
// With the size it was allocated with.
void free_aligned(void* memory, std::size_t bytes);

template <class T>
struct AlignedAllocator {
    using value_type = T;

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        return static_cast<T*>(allocate_aligned(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t count) { free_aligned(memory, count * sizeof(T)); }
    friend bool operator==(AlignedAllocator, AlignedAllocator) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace solis
