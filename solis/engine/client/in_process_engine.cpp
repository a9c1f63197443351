// Two queues instead of two pipes.
#include "solis/engine/client/in_process_engine.h"

#include <utility>

namespace solis::engine {
namespace {

// Calls `take` with every whole line of `text` and returns the rest.
template <typename Take>
std::string_view split_lines(std::string_view text, const Take& take) {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        take(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return text;
}

}  // namespace

void LineQueue::write(std::string_view lines) {
    const std::lock_guard lock(mutex_);
    const std::string_view last =
        split_lines(lines, [&](std::string_view line) { lines_.emplace_back(line); });
    lines_.emplace_back(last);
    changed_.notify_all();
}

void LineQueue::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

IoStatus LineQueue::read(std::string& line, Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_until(lock, deadline, [&] { return !lines_.empty() || closed_; })) {
        return IoStatus::TimedOut;
    }
    if (lines_.empty()) return IoStatus::Closed;
    line = std::move(lines_.front());
    lines_.pop_front();
    return IoStatus::Done;
}

bool LineQueue::is_closed(Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, deadline, [&] { return closed_; });
}

InProcessEngine::InProcessEngine(std::string name, Seed seed)
    : host_(output_, std::move(name), seed), thread_([this] {
          host_.serve();
          output_.close();
      }) {}

InProcessEngine::~InProcessEngine() {
    close_input();
    thread_.join();
}

IoStatus InProcessEngine::write(std::string_view text, Clock::time_point) {
    if (input_closed_ || output_.is_closed(Clock::now())) return IoStatus::Closed;
    partial_ += text;
    const std::string whole = std::exchange(partial_, {});
    partial_ = split_lines(whole, [&](std::string_view line) { host_.post(std::string(line)); });
    return IoStatus::Done;
}

IoStatus InProcessEngine::read_line(std::string_view& line, Clock::time_point deadline) {
    const IoStatus status = output_.read(line_, deadline);
    if (status == IoStatus::Done) line = line_;
    return status;
}

void InProcessEngine::close_input() {
    if (!std::exchange(input_closed_, true)) host_.post_end_of_input();
}

std::optional<ExitStatus> InProcessEngine::exit_status(std::chrono::milliseconds patience) {
    if (!output_.is_closed(Clock::now() + patience)) return std::nullopt;
    return ExitStatus{};
}

}  // namespace solis::engine
