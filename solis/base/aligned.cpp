// Aligned memory from operator new.
#include "solis/base/aligned.h"

#include <new>

#include <sys/mman.h>

namespace solis {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

std::align_val_t alignment_for(std::size_t bytes) {
    return std::align_val_t{bytes >= kHugePage ? kHugePage : kCacheLine};
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
    void* const memory = ::operator new(bytes, alignment_for(bytes));
    // Only a wish: without huge pages everything works as well.
    if (bytes >= kHugePage) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    return memory;
}

void free_aligned(void* memory, std::size_t bytes) {
    ::operator delete(memory, alignment_for(bytes));
}

}  // namespace solis
