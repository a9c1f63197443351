// Where long work of the engine runs: beside the session, or for tests and fuzzing inside it.
#pragma once
#include <functional>
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

class ThreadRunner final : public TaskRunner {
  public:
    ~ThreadRunner() override { ThreadRunner::join(); }
    void start(std::function<void()> task) override { thread_ = std::thread(std::move(task)); }
    void join() override {
        if (thread_.joinable()) thread_.join();
    }
    bool is_concurrent() const override { return true; }

  private:
    std::thread thread_;
};

class InlineRunner final : public TaskRunner {
  public:
    void start(std::function<void()> task) override { task(); }
    void join() override {}
    bool is_concurrent() const override { return false; }
};

}  // namespace solis::engine
