// Which model a command uses: a file, or an encoder that runs as a process with its axis in a file.
#pragma once
#include <memory>
#include <string>

#include "solis/cli/command.h"
#include "solis/model/open.h"

namespace solis::cli {

struct ModelChoice {
    std::string path;
    std::string encoder_command;
    double encoder_timeout = 60;  // seconds

    [[nodiscard]] model::ModelSource source() const;
};

// --model, --encoder-command and --encoder-timeout.
void add_model_options(Command& command, ModelChoice& choice);
// The two for the process alone.
void add_encoder_options(Command& command, ModelChoice& choice);
[[nodiscard]] Result<std::shared_ptr<const model::LoadedModel>> open_model(
    const ModelChoice& choice);

}  // namespace solis::cli
