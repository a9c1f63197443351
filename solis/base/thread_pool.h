// A fixed set of threads that run numbered tasks.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace solis {

// Results do not depend on the number of threads as long as a task touches only what its number
// gives it: split work by the problem's size, never by the thread count.
class ThreadPool {
  public:
    // The calling thread works too, so 1 starts no thread. 0 means one per core.
    explicit ThreadPool(std::size_t threads);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool();

    [[nodiscard]] std::size_t threads() const { return workers_.size() + 1; }
    // Calls task(0) ... task(count - 1) in any order and returns when all are done. Not from
    // inside a task, and not from two threads at once. A task that throws ends the round: the
    // tasks that have not begun are left out, and the first exception comes out of run().
    void run(std::size_t count, const std::function<void(std::size_t)>& task);

  private:
    void work();
    void take_tasks();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    std::vector<std::thread> workers_;
    const std::function<void(std::size_t)>* task_ = nullptr;
    std::size_t count_ = 0;
    std::exception_ptr failure_;  // of this round, the first one
    std::atomic<std::size_t> next_{0};
    std::size_t busy_ = 0;
    std::uint64_t round_ = 0;
    bool stopping_ = false;
};

}  // namespace solis
