// Lines in and out of the engine. What talks to the outside is behind LineOutput, so that tests
// and fuzzing run the same session on strings.
#pragma once
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "solis/base/result.h"

namespace solis::engine {

class LineOutput {
  public:
    virtual ~LineOutput() = default;
    // One or more whole lines, without the last line end. Threads may call at once: what one call
    // writes stays together.
    virtual void write(std::string_view lines) = 0;
};

// Writes to a file descriptor at once, without buffering. A reader that went away is no error:
// its end of our input comes next.
class DescriptorOutput final : public LineOutput {
  public:
    explicit DescriptorOutput(int descriptor) : descriptor_(descriptor) {}
    void write(std::string_view lines) override;
    // Fails where lines were lost for another reason than a reader that went away.
    [[nodiscard]] Result<void> status() const;

  private:
    int descriptor_;
    mutable std::mutex mutex_;
    std::string buffer_;
    int failure_ = 0;  // errno of the first write that failed
};

// Wakes who waits for input on another thread.
class WakeSignal {
  public:
    WakeSignal();
    WakeSignal(const WakeSignal&) = delete;
    WakeSignal& operator=(const WakeSignal&) = delete;
    ~WakeSignal();

    // From any thread; never waits.
    void raise();
    void clear();
    // Readable while it is raised.
    [[nodiscard]] int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
};

// Lines of a file descriptor, of bounded length.
class DescriptorInput {
  public:
    // A position with 100,000 moves fits.
    static constexpr std::size_t kMaxLine = std::size_t{1} << 20;
    enum class Status { Line, TooLong, End, Woken };

    // `wake`, another descriptor, ends a wait for input when it becomes readable; -1: none.
    explicit DescriptorInput(int descriptor, int wake = -1)
        : descriptor_(descriptor), wake_(wake) {}
    // The next line without its end, valid until the next call. A last line without an end counts.
    // TooLong: such a line was skipped. Woken: there is no line yet, but the other descriptor can
    // be read. A failing descriptor is at its end.
    [[nodiscard]] Status next(std::string_view& line);

  private:
    [[nodiscard]] bool fill();
    // Waits until one of the two descriptors can be read; false: only the other one can.
    [[nodiscard]] bool wait() const;

    int descriptor_;
    int wake_;
    std::string buffer_;
    std::size_t begin_ = 0;    // start of what has not been given out
    std::size_t scanned_ = 0;  // no line end before this
    bool skipping_ = false;    // inside a line that is too long
    bool at_end_ = false;
};

// Everything said in both directions, as Stockfish's "Debug Log File" has it.
class DialogueLog {
  public:
    // An empty path closes the log. Pipes are refused: one that nobody reads would block the
    // engine.
    [[nodiscard]] Result<void> open(const std::string& path);
    void add(std::string_view arrow, std::string_view lines);

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::mutex mutex_;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace solis::engine
