// A text file that another program is writing: its new lines.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solis/base/result.h"

namespace solis::studio {

class FileFollower {
  public:
    explicit FileFollower(std::string path) : path_(std::move(path)) {}

    struct Fresh {
        std::vector<std::string> lines{};  // complete ones, without their ends
        bool restarted = false;            // the file became shorter: these are lines of a new one
        bool more = false;                 // there is more to read at once
    };
    // What has come since the last call, at most some megabytes at a time. A file that does not
    // exist (any more) is a failure; the next call looks again.
    [[nodiscard]] Result<Fresh> read();

  private:
    std::string path_;
    std::uint64_t offset_ = 0;
    std::string rest_;  // of a line whose end is not there yet
};

}  // namespace solis::studio
