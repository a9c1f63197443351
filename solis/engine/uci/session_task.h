// Work that a session has going on beside the dialogue.
#pragma once
#include <atomic>
#include <string>

#include "solis/engine/uci/session.h"

namespace solis::engine {

struct Session::Task {
    planner::Signals signals;
    std::atomic<bool> ended{false};
    std::string answer;            // said at the end; only the task itself writes it
    bool waits_for_stop = false;   // the answer is held back until `stop` (go infinite)
    bool waits_for_hit = false;    // the answer is held back until `ponderhit` or `stop`
    bool owes_bestmove = false;    // a bestmove must be sent even where the task fails
    bool finishes_at_end = false;  // the end of the input does not stop it

    void stop() {
        waits_for_stop = waits_for_hit = false;
        signals.stop();
    }
    void ponder_hit() {
        waits_for_hit = false;
        signals.ponder_hit();
    }
    [[nodiscard]] bool may_answer() const { return ended && !waits_for_stop && !waits_for_hit; }
};

}  // namespace solis::engine
