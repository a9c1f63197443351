// Where long work of the engine runs: beside the session, or for tests and fuzzing inside it.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace solis::engine {

class TaskRunner {
  public:
    virtual ~TaskRunner() = default;
    // One task at a time: call join() before the next.
    virtual void start(std::function<void()> task) = 0;
    // Waits for the end of the task.
    virtual void join() = 0;
    // Whether the session goes on while a task runs. If not, a task cannot be stopped.
    [[nodiscard]] virtual bool is_concurrent() const = 0;
};

// One thread for all tasks: to wake it takes less time than to make a new one, which a busy system
// lets wait behind all others.
class ThreadRunner final : public TaskRunner {
  public:
    ThreadRunner();
    ThreadRunner(const ThreadRunner&) = delete;
    ThreadRunner& operator=(const ThreadRunner&) = delete;
    ~ThreadRunner() override;
    void start(std::function<void()> task) override;
    void join() override;
    bool is_concurrent() const override { return true; }

  private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> task_;  // empty: nothing to do
    bool ends_ = false;
    std::thread thread_;  // last: it uses the others
};

class InlineRunner final : public TaskRunner {
  public:
    void start(std::function<void()> task) override { task(); }
    void join() override {}
    bool is_concurrent() const override { return false; }
};

}  // namespace solis::engine
