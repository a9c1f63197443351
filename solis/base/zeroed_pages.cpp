// Anonymous mappings.
#include "solis/base/zeroed_pages.h"

#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include <sys/mman.h>

namespace solis {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

ZeroedPages::ZeroedPages(std::size_t bytes) : bytes_(bytes) {
    // Large pages need large alignment; the rest of the mapping is never touched.
    const bool large = bytes >= kLargePage;
    mapped_bytes_ = bytes + (large ? kLargePage : 0);
    if (mapped_bytes_ < bytes) throw std::bad_alloc();
    void* const mapped =
        ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    mapped_ = data_ = mapped;
    if (!large) return;
    std::size_t room = mapped_bytes_;
    std::align(kLargePage, bytes, data_, room);
    // A wish: without large pages it only gets slower.
    (void)::madvise(data_, bytes, MADV_HUGEPAGE);
}

ZeroedPages::ZeroedPages(ZeroedPages&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

ZeroedPages& ZeroedPages::operator=(ZeroedPages&& other) noexcept {
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

ZeroedPages::~ZeroedPages() {
    if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
}

void ZeroedPages::clear() {
    // Giving the pages back is faster than writing to all of them.
    if (::madvise(data_, bytes_, MADV_DONTNEED) != 0) std::memset(data_, 0, bytes_);
}

}  // namespace solis
