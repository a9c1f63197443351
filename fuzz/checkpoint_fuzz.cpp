// Any bytes as a checkpoint: refused, or its numbers and config are read. The tensors are those of
// safetensors, which has a target of its own.
#include <cstdint>
#include <string_view>

#include "solis/train/checkpoint.h"

int checkpoint_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    auto file = solis::nn::parse_safetensors(bytes);
    if (!file) return 0;
    // No fuzzer guesses the name of the format.
    file->metadata["format"] = "solis-checkpoint-2";
    const auto checkpoint = solis::train::checkpoint_from(std::move(*file));
    if (!checkpoint) return 0;
    static_cast<void>(solis::train::check_same_run(checkpoint->config, {}));
    return 0;
}
