// Choosing and computing the loss.
#include "train/loss.h"

#include <algorithm>

namespace solis::train {
namespace {

nn::ContrastiveConfig contrastive_config(const TrainConfig& config) {
    nn::ContrastiveConfig contrastive;
    for (const nn::ContrastiveKind kind :
         {nn::ContrastiveKind::SupCon, nn::ContrastiveKind::Soft, nn::ContrastiveKind::RankN}) {
        if (config.loss == nn::name_of(kind)) contrastive.kind = kind;
    }
    contrastive.temperature = static_cast<float>(config.temperature);
    contrastive.margin = static_cast<float>(config.margin);
    return contrastive;
}

}  // namespace

Loss::Loss(const TrainConfig& config)
    : contrastive_(contrastive_config(config)), regression_(config.loss == "regression") {}

double Loss::operator()(std::span<const float> z, std::span<const float> labels, std::size_t dims,
                        ThreadPool& pool, std::span<float> d_z) {
    if (regression_) return regression_loss(z, labels, dims, d_z);
    return contrastive_(z, labels, dims, pool, d_z);
}

double regression_loss(std::span<const float> z, std::span<const float> labels, std::size_t dims,
                       std::span<float> d_z) {
    std::fill(d_z.begin(), d_z.end(), 0.0f);
    double total = 0;
    const auto rows = static_cast<float>(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const float error = z[i * dims] - (2 * labels[i] - 1);
        total += static_cast<double>(error * error);
        d_z[i * dims] = 2 * error / rows;
    }
    return total / static_cast<double>(labels.size());
}

}  // namespace solis::train
