// Any bytes as an input file: what is no zstd comes back as it is, what is zstd comes to an end or
// to an error, and lines can be read from it.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "solis/base/byte_source.h"

namespace {

constexpr std::string_view kZstdMagic("\x28\xB5\x2F\xFD", 4);
// A small file can hold gigabytes of zeros; more of them tell nothing new.
constexpr std::size_t kEnough = std::size_t{1} << 24;

// A file in memory with these bytes, by a name that can be opened.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("fuzz", 0)) {
        if (fd_ < 0 || ::write(fd_, bytes.data(), bytes.size()) < 0) std::abort();
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(fd_); }
    [[nodiscard]] std::string name() const { return "/proc/self/fd/" + std::to_string(fd_); }

  private:
    int fd_;
};

}  // namespace

int zstd_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const MemoryFile file(bytes);
    auto source = solis::open_source(file.name());
    if (!source) return 0;
    std::array<char, 4096> buffer;
    std::string content;
    while (content.size() < kEnough) {
        const auto got = (*source)->read(buffer);
        if (!got) break;
        if (*got == 0) {
            if (!bytes.starts_with(kZstdMagic) && content != bytes) std::abort();
            break;
        }
        content.append(buffer.data(), *got);
    }
    auto lines_source = solis::open_source(file.name());
    if (!lines_source) std::abort();
    solis::LineReader lines(**lines_source);
    std::string_view line;
    for (std::size_t seen = 0; seen < kEnough; seen += line.size() + 1) {
        const auto more = lines.next(line);
        if (!more || !*more) break;
    }
    return 0;
}
