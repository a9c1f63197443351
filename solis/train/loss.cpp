// Choosing and computing the loss.
#include "solis/train/loss.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

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
      landmark_middle_(config.loss.landmark_middle),
      group_(static_cast<std::size_t>(config.loss.contrast_group)),
      regression_weight_(config.loss.regression_weight) {}

double Loss::operator()(std::span<const float> z, std::span<const float> labels, std::size_t dims,
                        ThreadPool& pool, std::span<float> d_z, const nn::RowShare* share) {
    if (regression_) return regression_loss(z, labels, dims, d_z);
    const double contrastive = contrast(z, labels, dims, pool, d_z, share);
    if (regression_weight_ == 0) return contrastive;
    return contrastive + add_regression(z, labels, dims, d_z);
}

double Loss::contrast(std::span<const float> z, std::span<const float> labels, std::size_t dims,
                      ThreadPool& pool, std::span<float> d_z, const nn::RowShare* share) {
    if (group_ != 0 && labels.size() > group_) return of_groups(z, labels, dims, pool, d_z);
    if (joined_.empty()) joined_.push_back({nn::ContrastiveLoss(contrastive_), {}, {}, {}});
    return of_group(joined_[0], z, labels, dims, pool, d_z, share);
}

double Loss::of_group(Joined& joined, std::span<const float> z, std::span<const float> labels,
                      std::size_t dims, ThreadPool& pool, std::span<float> d_z,
                      const nn::RowShare* share) const {
    if (landmarks_ == 0) return joined.contrastive(z, labels, dims, pool, d_z, share);
    joined.z.assign(z.begin(), z.end());
    joined.labels.assign(labels.begin(), labels.end());
    add_landmarks(dims, joined);
    joined.d_z.resize(joined.z.size());
    const double loss = joined.contrastive(joined.z, joined.labels, dims, pool, joined.d_z, share);
    std::copy_n(joined.d_z.begin(), d_z.size(), d_z.begin());
    return loss;
}

// Groups of nearly the same size. Each thread takes every so many-th of them and so keeps its pairs
// in its cache; what a group gives does not depend on who computes it.
double Loss::of_groups(std::span<const float> z, std::span<const float> labels, std::size_t dims,
                       ThreadPool& pool, std::span<float> d_z) {
    const std::size_t rows = labels.size(), groups = (rows + group_ - 1) / group_;
    const std::size_t workers = std::min(groups, pool.threads());
    while (joined_.size() < workers) {
        joined_.push_back({nn::ContrastiveLoss(contrastive_), {}, {}, {}});
    }
    std::vector<double> losses(groups);
    pool.run(workers, [&](std::size_t worker) {
        ThreadPool alone(1);
        for (std::size_t group = worker; group < groups; group += workers) {
            const std::size_t begin = rows * group / groups, end = rows * (group + 1) / groups;
            const std::span<float> d_rows = d_z.subspan(begin * dims, (end - begin) * dims);
            const double share = static_cast<double>(end - begin) / static_cast<double>(rows);
            losses[group] =
                share * of_group(joined_[worker], z.subspan(begin * dims, (end - begin) * dims),
                                 labels.subspan(begin, end - begin), dims, alone, d_rows, nullptr);
            for (float& value : d_rows) value *= static_cast<float>(share);
        }
    });
    return std::accumulate(losses.begin(), losses.end(), 0.0);
}

// The first coordinate of a position should be that of the place on the arc with its label.
double Loss::add_regression(std::span<const float> z, std::span<const float> labels,
                            std::size_t dims, std::span<float> d_z) const {
    const double rows = static_cast<double>(labels.size());
    double total = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const double aim = std::sin(landmark_arc_ / 2 * place_of(static_cast<double>(labels[i])));
        const double error = static_cast<double>(z[i * dims]) - aim;
        total += error * error;
        d_z[i * dims] += static_cast<float>(2 * regression_weight_ * error / rows);
    }
    return regression_weight_ * total / rows;
}

// The label at a place on the arc, from -1 at its beginning to 1 at its end. Labels rise evenly on
// both sides of the middle.
double Loss::label_at(double place) const {
    const double end = place < 0 ? 0 : 1;
    return landmark_middle_ + std::abs(place) * (end - landmark_middle_);
}

// The inverse of label_at.
double Loss::place_of(double label) const {
    const double end = label < landmark_middle_ ? 0 : 1;
    const double place = (label - landmark_middle_) / std::abs(end - landmark_middle_);
    return std::clamp(place, -1.0, 1.0);
}

// On an arc in the plane of the first two coordinates, so that the chord between its ends is the
// first coordinate.
void Loss::add_landmarks(std::size_t dims, Joined& joined) const {
    for (std::size_t i = 0; i < landmarks_; ++i) {
        const double place = 2 * static_cast<double>(i) / static_cast<double>(landmarks_ - 1) - 1;
        const double angle = landmark_arc_ / 2 * place;
        joined.labels.push_back(static_cast<float>(label_at(place)));
        joined.z.push_back(static_cast<float>(std::sin(angle)));
        joined.z.push_back(static_cast<float>(std::cos(angle)));
        joined.z.resize(joined.z.size() + dims - 2, 0.0f);
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
