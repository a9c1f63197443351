// Work that a session has going on beside the dialogue.
#pragma once
#include <mutex>
#include <string>

#include "solis/engine/uci/session.h"

namespace solis::engine {

// The session's thread starts, stops and concludes a task; the runner's thread works on it and says
// its answer at once where nothing holds it back. A detour over the session's thread would cost
// time on the clock.
struct Session::Task {
    using Say = std::function<void(std::string_view)>;
    using TimePoint = std::chrono::steady_clock::time_point;

    planner::Signals signals;
    std::string answer;            // said at the end; only the working thread writes it
    bool owes_bestmove = false;    // a bestmove must be sent even where the task fails
    bool finishes_at_end = false;  // the end of the input does not stop it

    // The answer is held back until `stop` (go infinite), or until `ponderhit` or `stop`.
    void hold_until_stop() { waits_for_stop_ = true; }
    void hold_until_hit() { waits_for_hit_ = true; }

    void stop() {
        {
            const std::lock_guard lock(mutex_);
            waits_for_stop_ = waits_for_hit_ = false;
        }
        signals.stop();
    }
    void ponder_hit() {
        {
            const std::lock_guard lock(mutex_);
            waits_for_hit_ = false;
        }
        signals.ponder_hit();
    }
    // The work is done: says the answer unless it is held back.
    void finish(const Say& say) {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
            if (is_held()) return;
            answered_ = true;
        }
        say_answer(say);
    }
    // Whether nothing is left to wait for.
    [[nodiscard]] bool may_conclude() const {
        const std::lock_guard lock(mutex_);
        return ended_ && !is_held();
    }
    // Says the answer if finish() did not. Only after the working thread has left the task.
    void conclude(const Say& say) {
        if (!answered_) say_answer(say);
    }
    // When the answer was written; after conclude().
    [[nodiscard]] TimePoint answered_at() const { return answered_at_; }

  private:
    [[nodiscard]] bool is_held() const { return waits_for_stop_ || waits_for_hit_; }
    void say_answer(const Say& say) {
        if (!answer.empty()) say(answer);
        answered_at_ = std::chrono::steady_clock::now();
    }

    mutable std::mutex mutex_;
    bool ended_ = false;
    bool answered_ = false;
    bool waits_for_stop_ = false;
    bool waits_for_hit_ = false;
    TimePoint answered_at_{};
};

}  // namespace solis::engine
