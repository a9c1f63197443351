// A session and the queue it is served from: lines from any thread, ends of searches from theirs.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

#include "solis/base/rng.h"
#include "solis/engine/line_io.h"
#include "solis/engine/uci/session.h"

namespace solis::engine {

class SessionHost {
  public:
    // `output` must outlive this.
    SessionHost(LineOutput& output, std::string name, Seed seed);

    // A line without its end; never waits.
    void post(std::string line);
    void post_end_of_input();

    // Answers until "quit" or the end of the input; once.
    void serve();

  private:
    struct Event {
        enum class Kind { Line, End, TaskEnded } kind;
        std::string line{};
        Session::TimePoint arrived{};
    };

    void push(Event event);
    [[nodiscard]] Event pop();

    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Event> events_;
    ThreadRunner runner_;
    Session session_;  // last: its search reports to the queue
};

}  // namespace solis::engine
