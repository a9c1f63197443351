// Our own engine on a thread of this process, talked to like any other.
#pragma once
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "solis/engine/client/engine_link.h"
#include "solis/engine/uci/session_host.h"

namespace solis::engine {

// Lines from the engine's threads to the one that reads them.
class LineQueue final : public LineOutput {
  public:
    void write(std::string_view lines) override;
    // No more lines will come.
    void close();
    // The next line; Closed once all have been read and no more will come.
    [[nodiscard]] IoStatus read(std::string& line, Clock::time_point deadline);
    // Whether close() has been called by then.
    [[nodiscard]] bool is_closed(Clock::time_point deadline);

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> lines_;
    bool closed_ = false;
};

// There is no killing a thread: destroying this tells a search to stop and waits for its end.
class InProcessEngine final : public EngineLink {
  public:
    // What it calls itself; `seed` is that of book moves and of the mistakes of a limited strength.
    InProcessEngine(std::string name, Seed seed);
    ~InProcessEngine() override;

    [[nodiscard]] IoStatus write(std::string_view text, Clock::time_point deadline) override;
    [[nodiscard]] IoStatus read_line(std::string_view& line, Clock::time_point deadline) override;
    void close_input() override;
    [[nodiscard]] std::optional<ExitStatus> exit_status(
        std::chrono::milliseconds patience) override;
    [[nodiscard]] pid_t pid() const override { return 0; }
    [[nodiscard]] std::chrono::duration<double> cpu_time() const override { return {}; }

  private:
    LineQueue output_;
    SessionHost host_;
    std::string partial_;  // written, but the end of the line is still to come
    std::string line_;     // the last one read
    bool input_closed_ = false;
    std::thread thread_;
};

}  // namespace solis::engine
