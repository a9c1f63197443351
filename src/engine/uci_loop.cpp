// Events from the reader and from the search, one after the other to the session.
#include "engine/uci_loop.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "engine/session.h"
#include "engine/words.h"

namespace solis::engine {
namespace {

struct Event {
    enum class Kind { Line, LongLine, End, TaskEnded } kind;
    std::string line;
};

// Bounded for lines, so that a flood waits in the pipe and not in memory.
class EventQueue {
  public:
    void push_line(Event event) {
        constexpr std::size_t kMost = 1000;
        std::unique_lock lock(mutex_);
        space_.wait(lock, [&] { return events_.size() < kMost; });
        events_.push_back(std::move(event));
        lock.unlock();
        ready_.notify_one();
    }
    // Never waits: the session may be waiting for the task that calls this.
    void push_task_end() {
        const std::lock_guard lock(mutex_);
        events_.push_back({Event::Kind::TaskEnded, {}});
        ready_.notify_one();
    }
    Event pop() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return !events_.empty(); });
        Event event = std::move(events_.front());
        events_.pop_front();
        lock.unlock();
        space_.notify_one();
        return event;
    }

  private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::condition_variable space_;
    std::deque<Event> events_;
};

// Ends after the last event that the session will take: "quit" or the end.
void read_lines(int descriptor, EventQueue& events) {
    DescriptorInput input(descriptor);
    for (;;) {
        std::string_view line;
        switch (input.next(line)) {
            case DescriptorInput::Status::Line: {
                std::string_view rest = line;
                const bool is_last = next_word(rest) == "quit";
                events.push_line({Event::Kind::Line, std::string(line)});
                if (is_last) return;
                break;
            }
            case DescriptorInput::Status::TooLong:
                events.push_line({Event::Kind::LongLine, {}});
                break;
            case DescriptorInput::Status::End:
                events.push_line({Event::Kind::End, {}});
                return;
        }
    }
}

void serve(Session& session, EventQueue& events) {
    for (;;) {
        const Event event = events.pop();
        switch (event.kind) {
            case Event::Kind::Line:
                if (!session.handle(event.line)) return;
                break;
            case Event::Kind::LongLine:
                session.skip_long_line();
                break;
            case Event::Kind::TaskEnded:
                session.task_ended();
                break;
            case Event::Kind::End:
                session.end_of_input();
                return;
        }
    }
}

}  // namespace

void run_uci_loop(const UciLoopSetup& setup) {
    EventQueue events;
    DescriptorOutput output(setup.output);
    ThreadRunner runner;
    std::thread reader([&] { read_lines(setup.input, events); });
    {
        Session session({.output = output,
                         .runner = runner,
                         .wake = [&] { events.push_task_end(); },
                         .name = setup.name,
                         .seed = setup.seed});
        serve(session, events);
    }
    reader.join();
}

}  // namespace solis::engine
