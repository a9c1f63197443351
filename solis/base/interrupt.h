// Ctrl-C as a question instead of a sudden end.
#pragma once
#include <csignal>

namespace solis {

// While it lives, SIGINT and SIGTERM are held back; requested() tells whether one came. Make it
// before starting threads, which then hold them back, too. After the first one the default is
// restored, so that a second Ctrl-C ends the program at once.
class InterruptWatch {
  public:
    InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    ~InterruptWatch();

    // Call it from the thread that made the watch.
    [[nodiscard]] bool requested();

  private:
    sigset_t watched_{};
    sigset_t old_mask_{};
    bool requested_ = false;
};

}  // namespace solis
