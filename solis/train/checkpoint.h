// The complete state of a run in one file.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/data/sampler.h"
#include "solis/nn/io/safetensors.h"
#include "solis/nn/tensor.h"
#include "solis/train/config.h"

namespace solis::train {

// Losses since the last line of the metrics: a resumed run logs the same means.
struct LossSum {
    double sum = 0;
    std::uint64_t count = 0;

    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

struct Checkpoint {
    std::uint64_t step = 0;
    std::uint64_t optimizer_steps = 0;
    data::SamplerState sampler;
    LossSum losses;
    std::string config;  // TOML
    std::vector<nn::Tensor> parameters;
    std::vector<nn::Tensor> moments;
    std::vector<nn::Tensor> averaged;
};

[[nodiscard]] bool has_checkpoint(const std::filesystem::path& folder);
[[nodiscard]] Result<void> write_checkpoint(const std::filesystem::path& folder,
                                            const Checkpoint& checkpoint);
[[nodiscard]] Result<Checkpoint> read_checkpoint(const std::filesystem::path& folder);
// From the content of the file, which may be anything.
[[nodiscard]] Result<Checkpoint> checkpoint_from(nn::TensorFile file);

// Fails where the configs differ in a field that changes the run; the error names it. Threads,
// precision, backend, device, validation and checkpoint intervals may differ.
[[nodiscard]] Result<void> check_same_run(const std::string& saved_toml, const TrainConfig& config);

}  // namespace solis::train
