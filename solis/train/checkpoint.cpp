// Checkpoints as safetensors files.
#include "solis/train/checkpoint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/nn/io/safetensors.h"

namespace solis::train {
namespace {

constexpr std::string_view kFileName = "checkpoint.safetensors";
constexpr std::string_view kFormat = "solis-checkpoint-2";
// Tensor names in the file are prefixed by what they are.
constexpr std::array<std::string_view, 3> kPrefixes{"parameter.", "moment.", "average."};

std::array<std::vector<nn::Tensor>*, 3> groups(Checkpoint& checkpoint) {
    return {&checkpoint.parameters, &checkpoint.moments, &checkpoint.averaged};
}

// The numbers of a checkpoint by name, for writing and reading alike.
template <class Visit>
void visit_numbers(Checkpoint& c, Visit&& visit) {
    visit("step", c.step);
    visit("optimizer.steps", c.optimizer_steps);
    visit("sampler.epoch", c.sampler.epoch);
    visit("sampler.pool", c.sampler.pool);
    visit("sampler.offset", c.sampler.offset);
    visit("sampler.fingerprint", c.sampler.fingerprint);
    visit("losses.count", c.losses.count);
    // As its bits, since it goes on bit for bit.
    auto bits = std::bit_cast<std::uint64_t>(c.losses.sum);
    visit("losses.sum.bits", bits);
    c.losses.sum = std::bit_cast<double>(bits);
}

// Fields that may change between the start of a run and its resumption. Who finds that there is
// more time, or less, moves the end of a run, and the learning rate follows.
bool may_change(std::string_view key) {
    return key == "steps" || key == "threads" || key == "validate_every" ||
           key == "validation_positions" || key == "validation_moves" ||
           key == "checkpoint_seconds" || key == "precision" || key == "backend" || key == "device";
}

template <class T>
bool are_equal(const T& a, const T& b) {
    return a == b;
}

// Stores are the same if the files are, whatever way their paths go.
bool are_equal(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const auto& left, const auto& right) { return is_same_file(left, right); });
}

}  // namespace

bool has_checkpoint(const std::filesystem::path& folder) {
    return std::filesystem::exists(folder / kFileName);
}

Result<void> write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint) {
    Checkpoint copy = checkpoint;
    nn::TensorFile file;
    file.metadata["format"] = kFormat;
    file.metadata["config"] = copy.config;
    visit_numbers(copy, [&](const char* name, const std::uint64_t& value) {
        file.metadata[name] = std::to_string(value);
    });
    const auto parts = groups(copy);
    for (std::size_t g = 0; g < parts.size(); ++g) {
        for (nn::Tensor& tensor : *parts[g]) {
            tensor.name = std::string(kPrefixes[g]) + tensor.name;
            file.tensors.push_back(std::move(tensor));
        }
    }
    return nn::write_safetensors(folder / kFileName, file);
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / kFileName;
    auto file = nn::read_safetensors(path);
    if (!file) return tl::unexpected(file.error());
    if (file->metadata["format"] != kFormat) {
        return fail(fmt::format("'{}' is not a checkpoint of this version (format '{}')",
                                path.string(), file->metadata["format"]));
    }
    Checkpoint checkpoint;
    checkpoint.config = file->metadata["config"];
    Result<void> status;
    visit_numbers(checkpoint, [&](const char* name, std::uint64_t& value) {
        const std::string& text = file->metadata[name];
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) {
            status =
                fail(fmt::format("'{}': {} is '{}', expected a number", path.string(), name, text));
        }
    });
    if (!status) return tl::unexpected(status.error());
    const auto parts = groups(checkpoint);
    for (nn::Tensor& tensor : file->tensors) {
        for (std::size_t g = 0; g < parts.size(); ++g) {
            if (!tensor.name.starts_with(kPrefixes[g])) continue;
            tensor.name.erase(0, kPrefixes[g].size());
            parts[g]->push_back(std::move(tensor));
            break;
        }
    }
    return checkpoint;
}

Result<void> check_same_run(const std::string& saved_toml, const TrainConfig& config) {
    const auto saved = parse_config(saved_toml, TrainConfig{});
    if (!saved) return fail_in("the config in the checkpoint", saved.error());
    Result<void> status;
    TrainConfig::visit(*saved, [&](const char* key, const auto& old_value, const char*) {
        TrainConfig::visit(config, [&](const char* other_key, const auto& value, const char*) {
            if constexpr (std::is_same_v<decltype(old_value), decltype(value)>) {
                if (std::string_view(key) != other_key || are_equal(old_value, value)) return;
                if (may_change(key) || !status) return;
                status = fail(fmt::format("this run was started with another '{}'", key),
                              "resume it with its own config, or choose another --out folder");
            }
        });
    });
    return status;
}

}  // namespace solis::train
