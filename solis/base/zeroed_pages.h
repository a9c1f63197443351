// Large tables of zeros, straight from the system.
#pragma once
#include <cstddef>

namespace solis {

// Memory that reads as zeros until it is written. Costs nothing before it is touched, so that a
// large table does not delay the start; in pages as large as the system gives, because tables are
// read at random. Throws std::bad_alloc where there is no such memory.
class ZeroedPages {
  public:
    explicit ZeroedPages(std::size_t bytes);
    ZeroedPages(ZeroedPages&& other) noexcept;
    ZeroedPages& operator=(ZeroedPages&& other) noexcept;
    ~ZeroedPages();

    // Aligned to a page at least.
    [[nodiscard]] void* data() const { return data_; }
    // Everything is zero again. Nobody may use the memory meanwhile.
    void clear();

  private:
    void* mapped_ = nullptr;
    std::size_t mapped_bytes_ = 0;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace solis
