// Streaming input: a file, standard input or memory, decompressed on the way if it is zstd.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "solis/base/result.h"

namespace solis {

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    // Fills part or all of `buffer`; 0 means the end. Not to be called again after either end
    // or failure.
    [[nodiscard]] virtual Result<std::size_t> read(std::span<char> buffer) = 0;
    // For messages: the path, or "standard input".
    [[nodiscard]] virtual std::string name() const { return "input"; }
};

// "-" is standard input. zstd is recognised by its first bytes, not by the name; several frames
// in a row are one stream. The error names the path.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_source(const std::string& path);
// The same for an input that must hold something: an empty one is a failure.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_input(const std::string& path);
// Reads `bytes`, which must outlive the source.
[[nodiscard]] std::unique_ptr<ByteSource> memory_source(std::string_view bytes);

// No input that is held in memory as a whole comes near; a small compressed file must not claim any
// memory, nor a device that never ends.
inline constexpr std::size_t kMaxWholeInput = std::size_t{1} << 30;

// The whole input as text, unless it is longer than `most` bytes.
[[nodiscard]] Result<std::string> read_all(ByteSource& source, std::size_t most = kMaxWholeInput);
// The whole of what open_source(path) gives.
[[nodiscard]] Result<std::string> read_file(const std::string& path,
                                            std::size_t most = kMaxWholeInput);
// The whole of a regular file as it is, not decompressed. Its size is looked at first.
[[nodiscard]] Result<std::string> read_regular_file(const std::string& path);

// Lines of a source, without their line end (\n or \r\n).
class LineReader {
  public:
    // Longer lines are a failure. The longest game with its branches takes a quarter of it.
    static constexpr std::size_t kMaxLine = std::size_t{1} << 24;

    explicit LineReader(ByteSource& source) : source_(source) {}

    // The next line, valid until the next call; false at the end.
    [[nodiscard]] Result<bool> next(std::string_view& line);
    // Number of the line that next() gave last, from 1.
    [[nodiscard]] std::size_t line_number() const { return line_number_; }

  private:
    [[nodiscard]] Result<bool> refill();

    ByteSource& source_;
    std::string buffer_;
    std::size_t begin_ = 0;  // start of what has not been given out
    bool at_end_ = false;
    std::size_t line_number_ = 0;
};

}  // namespace solis
