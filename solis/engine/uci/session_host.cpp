// Events from outside and from the search, one after the other to the session.
#include "solis/engine/uci/session_host.h"

#include <utility>

namespace solis::engine {

SessionHost::SessionHost(LineOutput& output, std::string name, Seed seed)
    : session_({.output = output,
                .runner = runner_,
                // Must not wait: the session may be waiting for the task that calls this.
                .wake =
                    [this] {
                        push({Event::Kind::TaskEnded, {}});
                    },
                .name = std::move(name),
                .seed = seed}) {}

void SessionHost::push(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    ready_.notify_one();
}

void SessionHost::post_when_there_is_room(std::string line) {
    constexpr std::size_t kMost = 1000;
    std::unique_lock lock(mutex_);
    space_.wait(lock, [&] { return events_.size() < kMost; });
    events_.push_back({Event::Kind::Line, std::move(line)});
    lock.unlock();
    ready_.notify_one();
}

void SessionHost::post(std::string line) { push({Event::Kind::Line, std::move(line)}); }

void SessionHost::post_long_line() { push({Event::Kind::LongLine, {}}); }

void SessionHost::post_end_of_input() { push({Event::Kind::End, {}}); }

SessionHost::Event SessionHost::pop() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return !events_.empty(); });
    Event event = std::move(events_.front());
    events_.pop_front();
    lock.unlock();
    space_.notify_one();
    return event;
}

void SessionHost::serve() {
    for (;;) {
        const Event event = pop();
        switch (event.kind) {
            case Event::Kind::Line:
                if (!session_.handle(event.line)) return;
                break;
            case Event::Kind::LongLine:
                session_.skip_long_line();
                break;
            case Event::Kind::TaskEnded:
                session_.task_ended();
                break;
            case Event::Kind::End:
                session_.end_of_input();
                return;
        }
    }
}

}  // namespace solis::engine
