// Events from outside and from the search, one after the other to the session.
#include "solis/engine/uci/session_host.h"

#include <utility>

namespace solis::engine {

SessionHost::SessionHost(LineOutput& output, std::string name, Seed seed)
    : session_({.output = output,
                .runner = runner_,
                // Must not wait: the session may be waiting for the task that calls this.
                .wake = [this] { push({Event::Kind::TaskEnded}); },
                .name = std::move(name),
                .seed = seed}) {}

void SessionHost::push(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    ready_.notify_one();
}

void SessionHost::post(std::string line) {
    push({Event::Kind::Line, std::move(line), Session::Clock::now()});
}

void SessionHost::post_end_of_input() { push({Event::Kind::End}); }

SessionHost::Event SessionHost::pop() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return !events_.empty(); });
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
}

void SessionHost::serve() {
    for (;;) {
        const Event event = pop();
        switch (event.kind) {
            case Event::Kind::Line:
                if (!session_.handle(event.line, event.arrived)) return;
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
