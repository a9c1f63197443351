// Thread pool: one shared task counter per round.
#include "solis/base/thread_pool.h"

#include <algorithm>
#include <utility>

#include "solis/base/start_thread.h"

namespace solis {

ThreadPool::ThreadPool(std::size_t threads) {
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < threads; ++i) {
        if (!start_thread(workers_, [this] { work(); })) break;
    }
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
    if (workers_.empty() || count <= 1) {
        for (std::size_t i = 0; i < count; ++i) task(i);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        task_ = &task;
        count_ = count;
        next_ = 0;
        busy_ = workers_.size();
        ++round_;
    }
    wake_.notify_all();
    take_tasks();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::take_tasks() {
    try {
        for (std::size_t i = next_++; i < count_; i = next_++) (*task_)(i);
    } catch (...) {
        next_ = count_;
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
    }
}

void ThreadPool::work() {
    std::uint64_t seen = 0;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return stopping_ || round_ != seen; });
            if (stopping_) return;
            seen = round_;
        }
        take_tasks();
        const std::lock_guard lock(mutex_);
        if (--busy_ == 0) done_.notify_one();
    }
}

}  // namespace solis
