// Choosing and computing the loss.
#include "solis/train/loss.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace solis::train {
namespace {

nn::ContrastiveConfig contrastive_config(const TrainConfig& config) {
    nn::ContrastiveConfig contrastive;
    if (config.loss.kind == LossKind::Soft) contrastive.kind = nn::ContrastiveKind::Soft;
    if (config.loss.kind == LossKind::RankN) contrastive.kind = nn::ContrastiveKind::RankN;
    contrastive.temperature = static_cast<float>(config.loss.temperature);
    contrastive.margin = static_cast<float>(config.loss.margin);
    return contrastive;
}

}  // namespace

Loss::Loss(const TrainConfig& config)
    : contrastive_(contrastive_config(config)),
      regression_(config.loss.kind == LossKind::Regression),
      landmarks_(static_cast<std::size_t>(config.loss.landmarks)),
      landmark_arc_(config.loss.landmark_arc * std::numbers::pi / 180),
      landmark_middle_(config.loss.landmark_middle) {}

double Loss::operator()(std::span<const float> z, std::span<const float> labels, std::size_t dims,
                        ThreadPool& pool, std::span<float> d_z, const nn::RowShare* share) {
    if (regression_) return regression_loss(z, labels, dims, d_z);
    if (landmarks_ == 0) return contrastive_(z, labels, dims, pool, d_z, share);
    all_z_.assign(z.begin(), z.end());
    all_labels_.assign(labels.begin(), labels.end());
    add_landmarks(dims);
    all_d_z_.resize(all_z_.size());
    const double loss = contrastive_(all_z_, all_labels_, dims, pool, all_d_z_, share);
    std::copy_n(all_d_z_.begin(), d_z.size(), d_z.begin());
    return loss;
}

// The label at a place on the arc, from -1 at its beginning to 1 at its end. Labels rise evenly on
// both sides of the middle.
double Loss::label_at(double place) const {
    const double end = place < 0 ? 0 : 1;
    return landmark_middle_ + std::abs(place) * (end - landmark_middle_);
}

// On an arc in the plane of the first two coordinates, so that the chord between its ends is the
// first coordinate.
void Loss::add_landmarks(std::size_t dims) {
    for (std::size_t i = 0; i < landmarks_; ++i) {
        const double place = 2 * static_cast<double>(i) / static_cast<double>(landmarks_ - 1) - 1;
        const double angle = landmark_arc_ / 2 * place;
        all_labels_.push_back(static_cast<float>(label_at(place)));
        all_z_.push_back(static_cast<float>(std::sin(angle)));
        all_z_.push_back(static_cast<float>(std::cos(angle)));
        all_z_.resize(all_z_.size() + dims - 2, 0.0f);
    }
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
