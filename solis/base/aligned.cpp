// Aligned memory from operator new.
#include "solis/base/aligned.h"

#include <new>

#include <sys/mman.h>

namespace solis {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

// From here on memory is worth a huge page of its own, even if half of the page is never used.
constexpr std::size_t kWorthHugePage = kHugePage / 2;

std::align_val_t alignment_for(std::size_t bytes) {
    return std::align_val_t{bytes >= kWorthHugePage ? kHugePage : kCacheLine};
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
    // What does not fill one page is given the whole of it; beyond that, the rest is in small
    // pages.
    const bool one_page = bytes >= kWorthHugePage && bytes < kHugePage;
    void* const memory = ::operator new(one_page ? kHugePage : bytes, alignment_for(bytes));
    // Only a wish: without huge pages everything works as well.
    const std::size_t pages = one_page ? 1 : bytes / kHugePage;
    if (pages > 0) madvise(memory, pages * kHugePage, MADV_HUGEPAGE);
    return memory;
}

void free_aligned(void* memory, std::size_t bytes) {
    ::operator delete(memory, alignment_for(bytes));
}

}  // namespace solis
