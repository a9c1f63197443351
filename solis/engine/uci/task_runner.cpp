// The thread that carries out tasks.
#include "solis/engine/uci/task_runner.h"

#include <utility>

namespace solis::engine {

ThreadRunner::ThreadRunner() : thread_([this] { work(); }) {}

ThreadRunner::~ThreadRunner() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void ThreadRunner::start(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        task_ = std::move(task);
    }
    changed_.notify_all();
}

void ThreadRunner::join() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !task_; });
}

void ThreadRunner::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return task_ || ends_; });
        if (!task_) return;
        lock.unlock();
        task_();
        lock.lock();
        task_ = nullptr;
        changed_.notify_all();
    }
}

}  // namespace solis::engine
