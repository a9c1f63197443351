// The same as uci_engine_fuzz with every plan and what they keep from one move to the next.
#include <array>

#include "tests/engine/uci_dialogue.h"

int uci_plans_fuzz(const std::uint8_t* data, std::size_t size) {
    constexpr std::array<std::string_view, 9> kUnwanted{"hash",  "thread", "file",  "path", "perft",
                                                        "bench", "depth",  "width", "quit"};
    solis::engine::hold_dialogue({reinterpret_cast<const char*>(data), size}, "isready", kUnwanted);
    return 0;
}
