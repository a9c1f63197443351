// Signals are blocked and fetched on demand: no handler, no global flag.
#include "solis/base/interrupt.h"

#include <ctime>

namespace solis {

InterruptWatch::InterruptWatch() {
    sigemptyset(&watched_);
    sigaddset(&watched_, SIGINT);
    sigaddset(&watched_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &watched_, &old_mask_);
}

InterruptWatch::~InterruptWatch() { pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr); }

bool InterruptWatch::requested() {
    const timespec at_once{0, 0};
    if (!requested_ && sigtimedwait(&watched_, nullptr, &at_once) > 0) {
        requested_ = true;
        pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
    }
    return requested_;
}

}  // namespace solis
