// The engine as a process: one thread for the dialogue, one for the search.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/model/evaluator.h"

namespace solis::engine {

struct UciLoopSetup {
    int input = 0;  // file descriptors
    int output = 1;
    std::string name = "SOLIS";
    Seed seed{0};
    // What plays until WeightsFile or EncoderCommand is set; null: the embedded model.
    std::shared_ptr<const model::LoadedModel> model{};
};

// Serves until "quit" or the end of the input. Both fail where the output was lost, unless its
// reader went away.
[[nodiscard]] Result<void> run_uci_loop(const UciLoopSetup& setup);
// Carries out one command, as if it had been read, and waits for its end. Reads no input.
[[nodiscard]] Result<void> run_uci_command(const UciLoopSetup& setup, std::string_view command);

}  // namespace solis::engine
