// Streaming output: a file that appears when it is complete, or standard output.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "solis/base/output.h"
#include "solis/base/result.h"

namespace solis {

class ByteSink {
  public:
    virtual ~ByteSink() = default;
    [[nodiscard]] virtual Result<void> write(std::string_view bytes) = 0;
    // Flushes and makes the file visible under its name; call once, after the last write.
    [[nodiscard]] virtual Result<void> finish() = 0;
};

// "-" is standard output. A name ending in ".zst" is compressed. Writes are gathered, so small
// ones are cheap.
[[nodiscard]] Result<std::unique_ptr<ByteSink>> create_sink(const std::string& path,
                                                            Existing existing = Existing::Replace);

}  // namespace solis
