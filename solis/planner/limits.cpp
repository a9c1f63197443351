// Signals between the thread that plans and the one that listens to the outside.
#include "solis/planner/limits.h"

namespace solis::planner {

void Signals::raise(std::atomic<bool>& flag) {
    {
        const std::lock_guard lock(mutex_);
        flag.store(true);
    }
    changed_.notify_all();
}

void Signals::stop() { raise(stopped_); }

void Signals::ponder_hit() {
    if (hit_) return;
    hit_time_ = std::chrono::steady_clock::now();
    raise(hit_);
}

std::optional<std::chrono::steady_clock::time_point> Signals::ponder_hit_time() const {
    if (!hit_.load(std::memory_order_acquire)) return std::nullopt;
    return hit_time_;
}

void Signals::wait(bool hit_is_enough) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || (hit_is_enough && hit_); });
}

}  // namespace solis::planner
