// First come, first served.
#include "solis/studio/think/queue.h"

#include <algorithm>

namespace solis::studio {
namespace {

// How often somebody who waits looks whether it is still wanted.
constexpr std::chrono::milliseconds kQueueLook{50};

}  // namespace

std::size_t ThinkingQueue::running() const {
    const std::lock_guard lock(mutex_);
    return running_.size();
}

std::size_t ThinkingQueue::waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
}

bool ThinkingQueue::enter(Thinker& thinker, std::size_t threads) {
    threads = std::clamp<std::size_t>(threads, 1, threads_);
    std::unique_lock lock(mutex_);
    const auto self = waiting_.insert(waiting_.end(), {&thinker, threads});
    std::size_t told = 0;
    while (true) {
        if (thinker.is_cancelled()) {
            waiting_.erase(self);
            changed_.notify_all();
            return false;
        }
        const bool first = self == waiting_.begin();
        if (first && free_ >= threads) break;
        if (first) ask_longest_to_leave();
        const auto place = static_cast<std::size_t>(std::distance(waiting_.begin(), self)) + 1;
        if (place != told) {
            told = place;
            thinker.on_place(place);
        }
        changed_.wait_for(lock, kQueueLook);
    }
    free_ -= threads;
    self->since = Clock::now();
    running_.splice(running_.end(), waiting_, self);
    changed_.notify_all();
    return true;
}

void ThinkingQueue::leave(Thinker& thinker) {
    const std::lock_guard lock(mutex_);
    const auto self = std::find_if(running_.begin(), running_.end(),
                                   [&](const Entry& e) { return e.thinker == &thinker; });
    if (self == running_.end()) return;
    free_ += self->threads;
    running_.erase(self);
    changed_.notify_all();
}

// Those who run are in the order in which they began.
void ThinkingQueue::ask_longest_to_leave() {
    const auto now = Clock::now();
    for (Entry& entry : running_) {
        if (entry.asked_to_leave || now - entry.since < turn_) continue;
        entry.asked_to_leave = true;
        entry.thinker->give_way();
        return;
    }
}

}  // namespace solis::studio
