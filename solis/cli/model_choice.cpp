// Options that name a model.
#include "solis/cli/model_choice.h"

#include <algorithm>

namespace solis::cli {

model::ModelSource ModelChoice::source() const {
    const std::chrono::milliseconds timeout(static_cast<long long>(encoder_timeout * 1000));
    const model::EncoderProcessOptions defaults;
    return {path, encoder_command, {std::max(defaults.start_timeout, timeout), timeout}};
}

void add_encoder_options(Command& command, ModelChoice& choice) {
    command.add_option("--encoder-command", choice.encoder_command,
                       "program that embeds positions, see docs/encoders.md; the model is then the "
                       "file that solis axis made for it");
    command
        .add_option("--encoder-timeout", choice.encoder_timeout,
                    "seconds that it may take to answer")
        ->range(0.001, 86'400)
        ->capture_default_str();
}

void add_model_options(Command& command, ModelChoice& choice) {
    command.add_option("--model", choice.path, "model file (default: the embedded one)");
    add_encoder_options(command, choice);
}

Result<std::shared_ptr<const model::LoadedModel>> open_model(const ModelChoice& choice) {
    return model::open_from(choice.source());
}

}  // namespace solis::cli
