// Who may think: so many threads in all, first come, first served, and nobody for ever.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>

namespace solis::studio {

// Somebody who waits for threads and then uses them.
class Thinker {
  public:
    virtual ~Thinker() = default;
    // Its place in the queue, 1 is next; told on its own thread whenever that changes.
    virtual void on_place(std::size_t place) = 0;
    // Whether it wants to think no more.
    [[nodiscard]] virtual bool is_cancelled() const = 0;
    // Others have waited long enough: to leave() soon, and perhaps to enter() again. Told on the
    // thread of another; does nothing where the work cannot be interrupted.
    virtual void give_way() = 0;
};

class ThinkingQueue {
  public:
    using Clock = std::chrono::steady_clock;

    // A turn is how long a thinker has its threads undisturbed while others wait.
    ThinkingQueue(std::size_t threads, std::size_t most_waiting,
                  std::chrono::milliseconds turn = std::chrono::seconds(3))
        : threads_(threads), free_(threads), most_waiting_(most_waiting), turn_(turn) {}

    [[nodiscard]] std::size_t threads() const { return threads_; }
    [[nodiscard]] std::size_t most_waiting() const { return most_waiting_; }
    [[nodiscard]] std::size_t running() const;
    [[nodiscard]] std::size_t waiting() const;
    [[nodiscard]] bool is_full() const { return waiting() >= most_waiting_; }

    // Waits until so many threads are free and everybody who came before has had theirs. False
    // where the thinker was cancelled meanwhile.
    [[nodiscard]] bool enter(Thinker& thinker, std::size_t threads);
    void leave(Thinker& thinker);

  private:
    struct Entry {
        Thinker* thinker;
        std::size_t threads;
        Clock::time_point since{};
        bool asked_to_leave = false;
    };

    void ask_longest_to_leave();

    const std::size_t threads_;
    std::size_t free_;
    const std::size_t most_waiting_;
    const std::chrono::milliseconds turn_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Entry> waiting_;
    std::list<Entry> running_;
};

}  // namespace solis::studio
