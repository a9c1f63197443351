// Whatever a client says, the engine survives and, once it is stopped, has answered every go with
// exactly one bestmove. Searches are the paper's plan, which keeps no memory between moves: making
// and clearing that of the other plans takes ten times as long as a dialogue (see uci_plans_fuzz).
// uci_commands_fuzz reads the same lines without an engine, more than ten times as fast.
#include <array>

#include "tests/engine/uci_dialogue.h"

int uci_engine_fuzz(const std::uint8_t* data, std::size_t size) {
    // Not what this looks for: lines that open files, take much memory or take long by design.
    constexpr std::array<std::string_view, 10> kUnwanted{
        "hash", "thread", "file", "path", "perft", "bench", "depth", "width", "quit", "plan"};
    solis::engine::hold_dialogue({reinterpret_cast<const char*>(data), size},
                                 "setoption name Plan value Paper", kUnwanted);
    return 0;
}
