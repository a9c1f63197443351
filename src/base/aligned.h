// Vectors whose storage starts on a cache line, as vector instructions like it.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace solis {

inline constexpr std::size_t kCacheLine = 64;

template <class T>
struct AlignedAllocator {
    using value_type = T;

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kCacheLine}));
    }
    // Without the size, which clang takes on request only.
    void deallocate(T* memory, std::size_t /*count*/) {
        ::operator delete (memory, std::align_val_t{kCacheLine});
    }
    friend bool operator==(AlignedAllocator, AlignedAllocator) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace solis
