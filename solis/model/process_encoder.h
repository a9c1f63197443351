// What a model file knows of an encoder that runs as a process: its name and size. The command that
// starts it is never taken from a file, because opening a model must not run programs.
#pragma once
#include <cstddef>
#include <string>

#include "solis/base/result.h"
#include "solis/nn/io/safetensors.h"

namespace solis::model {

struct ProcessEncoder {
    std::size_t dims = 0;
    std::string name;

    friend bool operator==(const ProcessEncoder&, const ProcessEncoder&) = default;
};

// As metadata.
void add_process_encoder(const ProcessEncoder& encoder, nn::TensorFile& file);
[[nodiscard]] Result<ProcessEncoder> take_process_encoder(nn::TensorFile& file);

}  // namespace solis::model
