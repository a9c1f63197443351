// Contrastive losses: a block of anchors at a time, similarities by matrix product.
#include "nn/contrastive.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nn/gemm.h"
#include "nn/vector_kernels.h"

namespace solis::nn {
namespace {

constexpr std::size_t kRowsPerTask = 48;  // a multiple of the matrix kernel's tile

std::size_t tasks(std::size_t rows) { return (rows + kRowsPerTask - 1) / kRowsPerTask; }

// How strongly two labels attract: 0 from the margin on.
template <class Real>
Real attraction(const ContrastiveConfig& config, Real a, Real b) {
    const Real distance = std::abs(a - b), margin = static_cast<Real>(config.margin);
    if (distance >= margin) return 0;
    return config.kind == ContrastiveKind::Soft ? 1 - distance / margin : 1;
}

}  // namespace

std::string_view name_of(ContrastiveKind kind) {
    switch (kind) {
        case ContrastiveKind::SupCon:
            return "supcon";
        case ContrastiveKind::Soft:
            return "soft";
        case ContrastiveKind::RankN:
            return "rnc";
    }
    return "";
}

double ContrastiveLoss::operator()(std::span<const float> z, std::span<const float> labels,
                                   std::size_t dims, ThreadPool& pool, std::span<float> d_z) {
    const std::size_t rows = labels.size();
    pairs_.resize(rows * rows);
    row_loss_.assign(rows, 0.0);
    valid_.assign(rows, 0);
    pool.run(tasks(rows), [&](std::size_t task) {
        const std::size_t begin = task * kRowsPerTask;
        anchor_rows(z, labels, dims, begin, std::min(rows, begin + kRowsPerTask));
    });
    const auto anchors =
        static_cast<std::size_t>(std::accumulate(valid_.begin(), valid_.end(), std::size_t{0}));
    if (anchors == 0) {
        std::fill(d_z.begin(), d_z.end(), 0.0f);
        return 0;
    }
    pool.run(tasks(rows), [&](std::size_t task) {
        const std::size_t begin = task * kRowsPerTask;
        gradient_rows(z, dims, anchors, begin, std::min(rows, begin + kRowsPerTask), d_z);
    });
    return std::accumulate(row_loss_.begin(), row_loss_.end(), 0.0) / static_cast<double>(anchors);
}

// pairs_[i][j] becomes d loss_i / d similarity_ij for the anchors i in [begin, end).
void ContrastiveLoss::anchor_rows(std::span<const float> z, std::span<const float> labels,
                                  std::size_t dims, std::size_t begin, std::size_t end) {
    const std::size_t rows = labels.size();
    gemm(end - begin, rows, dims, {z.data() + begin * dims, dims}, {z.data(), dims, true},
         pairs_.data() + begin * rows, rows, Into::Overwrite);
    for (std::size_t anchor = begin; anchor < end; ++anchor) {
        if (config_.kind == ContrastiveKind::RankN) {
            rank_row(labels, anchor);
        } else {
            supcon_row(labels, anchor);
        }
    }
}

void ContrastiveLoss::supcon_row(std::span<const float> labels, std::size_t anchor) {
    const std::size_t rows = labels.size();
    const std::span<float> row = std::span(pairs_).subspan(anchor * rows, rows);
    double total_weight = 0, attracted = 0;
    for (std::size_t j = 0; j < rows; ++j) {
        if (j == anchor) continue;
        const float weight = attraction(config_, labels[anchor], labels[j]);
        total_weight += weight;
        attracted += static_cast<double>(weight * row[j]);
    }
    if (total_weight == 0) {
        std::fill(row.begin(), row.end(), 0.0f);
        return;
    }
    valid_[anchor] = 1;
    // Cosines are at most 1, so shifting by 1 keeps every exponent at or below 0.
    const float scale = 1 / config_.temperature;
    row[anchor] = -1e9f;
    const float sum = exp_in_place(row, 1.0f, scale);
    row_loss_[anchor] = std::log(static_cast<double>(sum)) + static_cast<double>(scale) -
                        static_cast<double>(scale) * attracted / total_weight;
    const float softmax = scale / sum;
    const auto pull = static_cast<float>(static_cast<double>(scale) / total_weight);
    for (std::size_t j = 0; j < rows; ++j) {
        row[j] = row[j] * softmax - pull * attraction(config_, labels[anchor], labels[j]);
    }
    row[anchor] = 0;
}

void ContrastiveLoss::rank_row(std::span<const float> labels, std::size_t anchor) {
    const std::size_t rows = labels.size();
    if (rows < 2) {
        pairs_[anchor * rows + anchor] = 0;
        return;
    }
    const std::span<float> row = std::span(pairs_).subspan(anchor * rows, rows);
    const auto distance = [&](std::size_t j) { return std::abs(labels[anchor] - labels[j]); };
    thread_local std::vector<std::uint32_t> order;
    thread_local std::vector<double> denominators;
    order.resize(rows);
    std::iota(order.begin(), order.end(), 0u);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(anchor));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return distance(a) > distance(b); });

    valid_[anchor] = 1;
    const double scale = 1 / static_cast<double>(config_.temperature);
    double similarities = 0;
    for (const std::uint32_t j : order) similarities += static_cast<double>(row[j]);
    row[anchor] = -1e9f;
    (void)exp_in_place(row, 1.0f, 1 / config_.temperature);
    // denominators[n]: sum over all k at least as far as order[n], ties included.
    denominators.resize(order.size());
    double sum = 0, logs = 0;
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && distance(order[end]) == distance(order[begin])) {
            sum += static_cast<double>(row[order[end++]]);
        }
        for (std::size_t n = begin; n < end; ++n) denominators[n] = sum;
        logs += static_cast<double>(end - begin) * (std::log(sum) + scale);
    }
    const double pairs = static_cast<double>(order.size());
    row_loss_[anchor] = (logs - scale * similarities) / pairs;
    // k is in the denominator of every j that is not farther away than k.
    double inverses = 0;
    for (std::size_t end = order.size(), begin = end; end > 0; end = begin) {
        while (begin > 0 && distance(order[begin - 1]) == distance(order[end - 1])) {
            inverses += 1 / denominators[--begin];
        }
        for (std::size_t n = begin; n < end; ++n) {
            float& value = row[order[n]];
            value = static_cast<float>((static_cast<double>(value) * inverses - 1) * scale / pairs);
        }
    }
    row[anchor] = 0;
}

// A similarity appears in the row of both of its ends.
void ContrastiveLoss::gradient_rows(std::span<const float> z, std::size_t dims, std::size_t anchors,
                                    std::size_t begin, std::size_t end, std::span<float> d_z) {
    const std::size_t rows = row_loss_.size();
    thread_local std::vector<float> both;
    both.resize((end - begin) * rows);
    const float mean = 1 / static_cast<float>(anchors);
    for (std::size_t j = 0; j < rows; ++j) {
        const float* const column = pairs_.data() + j * rows;
        for (std::size_t i = begin; i < end; ++i) {
            both[(i - begin) * rows + j] = mean * (pairs_[i * rows + j] + column[i]);
        }
    }
    gemm(end - begin, dims, rows, {both.data(), rows}, {z.data(), dims}, d_z.data() + begin * dims,
         dims, Into::Overwrite);
}

namespace {

double similarity(std::span<const double> z, std::size_t dims, std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t d = 0; d < dims; ++d) sum += z[i * dims + d] * z[j * dims + d];
    return sum;
}

}  // namespace

double contrastive_reference(const ContrastiveConfig& config, std::span<const double> z,
                             std::span<const double> labels, std::size_t dims) {
    const std::size_t rows = labels.size();
    const double tau = static_cast<double>(config.temperature);
    double total = 0, anchors = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        double weights = 0, loss = 0;
        for (std::size_t j = 0; j < rows; ++j) {
            if (j == i) continue;
            const bool ranked = config.kind == ContrastiveKind::RankN;
            const double weight = ranked ? 1 : attraction(config, labels[i], labels[j]);
            double denominator = 0;
            for (std::size_t k = 0; k < rows; ++k) {
                if (k == i) continue;
                const bool nearer =
                    std::abs(labels[i] - labels[k]) < std::abs(labels[i] - labels[j]);
                if (ranked && nearer) continue;
                denominator += std::exp(similarity(z, dims, i, k) / tau);
            }
            weights += weight;
            loss += weight * (std::log(denominator) - similarity(z, dims, i, j) / tau);
        }
        if (weights == 0) continue;
        total += loss / weights;
        anchors += 1;
    }
    return anchors == 0 ? 0 : total / anchors;
}

}  // namespace solis::nn
