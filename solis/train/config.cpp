// Presets of the training configuration.
#include "solis/train/config.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace solis::train {
namespace {

// As the paper has it: 128 anchors with five positives each, plain SGD at a constant rate.
TrainConfig paper_recipe(bool base) {
    TrainConfig config;
    config.encoder.kind = EncoderKind::Transformer;
    config.encoder.dims = base ? 1024 : 128;
    config.encoder.heads = base ? 16 : 8;
    config.encoder.mlp = base ? 1024 : 256;
    config.encoder.dropout = 0.1;
    config.loss.batching = Batching::Paper;
    config.loss.positives = 5;
    config.run.batch = 128 * 6;
    config.optimizer.kind = nn::OptimizerKind::Sgd;
    config.optimizer.learning_rate = 0.05;
    config.optimizer.momentum = 0.9;
    config.optimizer.weight_decay = 0;
    config.optimizer.schedule = Schedule::Constant;
    config.optimizer.warmup = 0;
    config.run.steps = 400'000;
    config.run.precision = PrecisionChoice::Float;
    return config;
}

}  // namespace

data::SplitShares split_shares(const TrainConfig& config) {
    const auto per_mille = static_cast<unsigned>(std::lround(1000 * config.data.held_out));
    return {per_mille, per_mille};
}

data::OnDamage on_damage(const TrainConfig& config) {
    return config.data.skip_damaged ? data::OnDamage::Skip : data::OnDamage::Stop;
}

void read_old_teacher(TrainConfig& config) {
    std::string& teacher = config.data.teacher;
    // Nets are files, and none is called like a model.
    if (!teacher.empty() && teacher != "default" && !teacher.ends_with(".safetensors")) return;
    config.auxiliary.teacher = std::exchange(teacher, "");
}

std::vector<std::string_view> preset_names() {
    return {"swift", "swift-quick", "endings", "mini-paper", "mini-cpu", "base-paper"};
}

Result<TrainConfig> preset(std::string_view name) {
    TrainConfig config;
    config.encoder.dims = 32;
    config.loss.landmarks = 128;
    if (name == "swift") return config;
    if (name == "swift-quick") {
        config.encoder.accumulators = 128;
        config.run.epochs = 4;
        config.data.held_out = 0.1;  // stores made in minutes have few games
        config.validation.every = 500;
        return config;
    }
    if (name == "endings") {
        config.loss.labels = LabelKind::MateDistance;
        config.optimizer.learning_rate = 4e-3;
        config.run.steps = 16'000;
        config.loss.margin = 0.02;
        config.encoder.accumulators = 128;
        config.encoder.dims = 16;
        config.optimizer.weight_decay = 0.05;
        config.validation.moves = 0;  // many moves are equally good
        return config;
    }
    if (name == "mini-paper" || name == "base-paper") return paper_recipe(name == "base-paper");
    if (name == "mini-cpu") {
        config.encoder.kind = EncoderKind::Transformer;
        config.encoder.dims = 128;
        config.optimizer.kind = nn::OptimizerKind::Muon;
        config.optimizer.learning_rate = 8e-3;
        config.optimizer.warmup = 0.05;
        config.optimizer.weight_decay = 0.05;
        config.optimizer.clip = 1;
        // A position's value says little about where its pieces look: squares say more.
        config.auxiliary.weight = 4;
        config.auxiliary.teacher = "default";
        // Landmarks stand for the rest of a large batch, and small ones make more steps.
        config.run.batch = 64;
        config.run.epochs = 1;
        config.validation.every = 2000;
        config.validation.positions = 5000;
        config.validation.moves = 200;
        return config;
    }
    return fail(fmt::format("unknown preset '{}'", name),
                fmt::format("known are: {}", fmt::join(preset_names(), ", ")));
}

}  // namespace solis::train
