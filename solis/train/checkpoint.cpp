// Checkpoints as safetensors files.
#include "solis/train/checkpoint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/train/config_fields.h"

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
    visit("sampler.teacher", c.sampler.teacher);
    visit("losses.count", c.losses.count);
    // As its bits, since it goes on bit for bit.
    auto bits = std::bit_cast<std::uint64_t>(c.losses.sum);
    visit("losses.sum.bits", bits);
    c.losses.sum = std::bit_cast<double>(bits);
}

// Checkpoints written before the auxiliary loss had its name call its tensors "lessons.".
void rename_old(std::string& name) {
    constexpr std::string_view kOld = "lessons.", kNew = "auxiliary.";
    if (name.starts_with(kOld)) name.replace(0, kOld.size(), kNew);
}

struct FieldText {
    std::string_view key;
    std::string value;
    bool may_change;
};

std::vector<FieldText> field_texts(const TrainConfig& config) {
    std::vector<FieldText> texts;
    visit_fields(config,
                 [&](std::string_view key, const auto& member, const FieldRule& rule, const char*) {
                     texts.push_back({key, toml_text(member), rule.may_change});
                 });
    return texts;
}

// Stores are the same if the files are, whatever way their paths go.
bool are_same_files(const std::vector<std::string>& a, const std::vector<std::string>& b) {
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
    auto checkpoint = checkpoint_from(std::move(*file));
    if (!checkpoint) return fail_in(fmt::format("'{}'", path.string()), checkpoint.error());
    return checkpoint;
}

Result<Checkpoint> checkpoint_from(nn::TensorFile file) {
    if (file.metadata["format"] != kFormat) {
        return fail(
            fmt::format("not a checkpoint of this version (format '{}')", file.metadata["format"]));
    }
    Checkpoint checkpoint;
    checkpoint.config = file.metadata["config"];
    // Checkpoints written before there were teachers do not say that they had none.
    file.metadata.try_emplace("sampler.teacher", "0");
    Result<void> status;
    visit_numbers(checkpoint, [&](const char* name, std::uint64_t& value) {
        const std::string& text = file.metadata[name];
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) {
            status = fail(fmt::format("{} is '{}', expected a number", name, text));
        }
    });
    if (!status) return tl::unexpected(status.error());
    const auto parts = groups(checkpoint);
    for (nn::Tensor& tensor : file.tensors) {
        for (std::size_t g = 0; g < parts.size(); ++g) {
            if (!tensor.name.starts_with(kPrefixes[g])) continue;
            tensor.name.erase(0, kPrefixes[g].size());
            rename_old(tensor.name);
            parts[g]->push_back(std::move(tensor));
            break;
        }
    }
    return checkpoint;
}

Result<void> check_same_run(const std::string& saved_toml, const TrainConfig& config) {
    std::vector<std::string> notes;
    const auto saved = parse_config(saved_toml, TrainConfig{}, &notes);
    if (!saved) return fail_in("the config in the checkpoint", saved.error());
    if (!notes.empty()) {
        return fail(fmt::format("this run was started by an older version: {}", notes[0]),
                    "choose another --out folder; --start-from takes the weights of a model");
    }
    const auto before = field_texts(*saved), now = field_texts(config);
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].may_change || before[i].value == now[i].value) continue;
        if (now[i].key == "stores" && are_same_files(saved->data.stores, config.data.stores)) {
            continue;
        }
        if (now[i].key == "teacher" && is_same_file(saved->data.teacher, config.data.teacher)) {
            continue;
        }
        return fail(fmt::format("this run was started with {} = {}, not {}", now[i].key,
                                before[i].value, now[i].value),
                    "resume it with its own config, or choose another --out folder");
    }
    return {};
}

}  // namespace solis::train
