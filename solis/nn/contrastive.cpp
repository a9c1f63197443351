// Contrastive losses: a block of anchors at a time, similarities by matrix product.
//
// A similarity s_ij counts in the losses of i and of j. With e = exp(s / tau) and w the attraction
// of the labels, both symmetric, the gradient of their sum is
//     (e (1 / E_i + 1 / E_j) - w (1 / W_i + 1 / W_j)) / tau,    E, W: sums over a row,
// so rows are enough to know: nothing is ever transposed.
#include "solis/nn/contrastive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solis/nn/contrastive_kernels.h"
#include "solis/nn/counts.h"

namespace solis::nn {
namespace {

constexpr std::size_t kLabelsPerTask = 48;  // a multiple of the matrix kernel's tile

// Rows of a power of two of floats would all compete for the same few lines of the cache.
constexpr std::size_t kRowPadding = 16;

// How strongly two labels attract: 0 from the margin on.
template <class Real>
Real attraction(const ContrastiveConfig& config, Real a, Real b) {
    const Real distance = std::abs(a - b), margin = static_cast<Real>(config.margin);
    if (distance >= margin) return 0;
    return config.kind == ContrastiveKind::Soft ? 1 - distance / margin : 1;
}

Attraction attraction_of(const ContrastiveConfig& config) {
    // Every pair of a ranking attracts.
    if (config.kind == ContrastiveKind::RankN) return {std::numeric_limits<float>::max(), false};
    return {config.margin, config.kind == ContrastiveKind::Soft};
}

struct OtherSums {
    double exponentials, weights, attracted;
};

// See exponentials(): of the whole row but the anchor itself. Cosines are at most 1, so no
// exponent is above 0. The anchor takes part with a similarity below that of any other row, and
// what that adds is taken off again: small numbers, so that nothing cancels.
OtherSums exponentials_of_others(const ContrastiveConfig& config, std::span<float> row,
                                 std::span<const float> labels, std::size_t anchor) {
    constexpr float kBelowAll = -3;
    row[anchor] = kBelowAll;
    const PairSums sums = exponentials(row, labels.data(), labels[anchor], attraction_of(config),
                                       1 / config.temperature);
    const auto without = [](float all, float own) {
        return static_cast<double>(all) - static_cast<double>(own);
    };
    return {without(sums.exponentials, row[anchor]), without(sums.weights, 1.0f),
            without(sums.attracted, kBelowAll)};
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
                                   std::size_t dims, ThreadPool& pool, std::span<float> d_z,
                                   const RowShare* share) {
    const std::size_t rows = labels.size();
    const bool ranked = config_.kind == ContrastiveKind::RankN;
    if (ranked) share = nullptr;
    stride_ = (rows + 2 * kRowPadding - 1) / kRowPadding * kRowPadding;
    pairs_.resize(rows * stride_);
    row_loss_.assign(rows, 0.0);
    valid_.assign(rows, 0);
    columns_.pack(dims, rows, {z.data(), dims, true});
    rows_.pack(rows, dims, {z.data(), dims});
    if (ranked) {
        by_label_.resize(rows);
        std::iota(by_label_.begin(), by_label_.end(), 0u);
        std::stable_sort(by_label_.begin(), by_label_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return labels[a] < labels[b]; });
    } else {
        push_.assign(rows, 0.0f);
        pull_.assign(rows, 0.0f);
    }
    // Own rows, then those that belong to everybody.
    const auto for_each_block = [&](auto&& block) {
        const auto run = [&](std::size_t first, std::size_t last) {
            pool.run(ceil_div(last - first, kLabelsPerTask), [&](std::size_t task) {
                const std::size_t begin = first + task * kLabelsPerTask;
                block(begin, std::min(last, begin + kLabelsPerTask));
            });
        };
        run(share ? share->begin : 0, share ? share->end : rows);
        if (share) run(share->shared, rows);
    };
    for_each_block([&](std::size_t begin, std::size_t end) {
        gemm(end - begin, {z.data() + begin * dims, dims}, columns_,
             pairs_.data() + begin * stride_, stride_, Into::Overwrite);
        ranked ? rank_rows(labels, begin, end) : supcon_rows(labels, begin, end);
    });
    if (share) exchange_sums(*share);
    const auto anchors =
        static_cast<std::size_t>(std::accumulate(valid_.begin(), valid_.end(), std::size_t{0}));
    if (anchors == 0) {
        std::fill(d_z.begin(), d_z.end(), 0.0f);
        return 0;
    }
    set_forces(anchors);
    for_each_block([&](std::size_t begin, std::size_t end) {
        const float* gradients = pairs_.data() + begin * stride_;
        if (ranked) {
            gradients = rank_gradients(begin, end).data();
        } else {
            supcon_gradients(labels, begin, end);
        }
        gemm(end - begin, {gradients, stride_}, rows_, d_z.data() + begin * dims, dims,
             Into::Overwrite);
    });
    return std::accumulate(row_loss_.begin(), row_loss_.end(), 0.0) / static_cast<double>(anchors);
}

void ContrastiveLoss::supcon_rows(std::span<const float> labels, std::size_t begin,
                                  std::size_t end) {
    const double scale = 1 / static_cast<double>(config_.temperature);
    for (std::size_t anchor = begin; anchor < end; ++anchor) {
        const std::span<float> row = row_of(anchor);
        const OtherSums sums = exponentials_of_others(config_, row, labels, anchor);
        if (sums.weights == 0) continue;
        valid_[anchor] = 1;
        row_loss_[anchor] =
            std::log(sums.exponentials) + scale * (1 - sums.attracted / sums.weights);
        push_[anchor] = static_cast<float>(1 / sums.exponentials);
        pull_[anchor] = static_cast<float>(1 / sums.weights);
    }
}

// What gradients and loss need to know of the rows of other processes.
void ContrastiveLoss::exchange_sums(const RowShare& share) {
    constexpr std::size_t kPerRow = 4;
    std::vector<float> sums(share.shared * kPerRow);
    for (std::size_t row = share.begin; row < share.end; ++row) {
        float* const at = sums.data() + row * kPerRow;
        at[0] = push_[row];
        at[1] = pull_[row];
        at[2] = valid_[row];
        at[3] = static_cast<float>(row_loss_[row]);
    }
    share.exchange(sums, kPerRow);
    for (std::size_t row = 0; row < share.shared; ++row) {
        const float* const at = sums.data() + row * kPerRow;
        push_[row] = at[0];
        pull_[row] = at[1];
        valid_[row] = at[2] != 0 ? 1 : 0;
        row_loss_[row] = static_cast<double>(at[3]);
    }
}

// The derivative of the mean over the anchors. RankN has its factors in the rows already.
void ContrastiveLoss::set_forces(std::size_t anchors) {
    const float factor = 1 / (config_.temperature * static_cast<float>(anchors));
    for (float& value : push_) value *= factor;
    for (float& value : pull_) value *= factor;
}

void ContrastiveLoss::supcon_gradients(std::span<const float> labels, std::size_t begin,
                                       std::size_t end) {
    for (std::size_t anchor = begin; anchor < end; ++anchor) {
        const std::span<float> row = row_of(anchor);
        pair_gradients(row, labels.data(), anchor, attraction_of(config_),
                       {push_.data(), pull_.data()});
        row[anchor] = 0;
    }
}

void ContrastiveLoss::rank_rows(std::span<const float> labels, std::size_t begin, std::size_t end) {
    for (std::size_t anchor = begin; anchor < end; ++anchor) {
        rank_row(labels, anchor);
        row_of(anchor)[anchor] = 0;
    }
}

void ContrastiveLoss::rank_row(std::span<const float> labels, std::size_t anchor) {
    const std::span<float> row = row_of(anchor);
    const std::size_t others = row.size() - 1;
    if (others == 0) return;
    valid_[anchor] = 1;
    struct Other {
        float distance;
        std::uint32_t row;
    };
    thread_local std::vector<Other> far_to_near;
    thread_local std::vector<double> denominators, inverses;
    far_to_near.resize(others);
    denominators.resize(others);
    inverses.resize(others);
    // The farthest is at one end of the labels that are left. The anchor, at distance 0, comes last
    // or ties with the last: it is stepped over where it is met.
    std::size_t low = 0, high = others;
    for (std::size_t n = 0; n < others;) {
        const Other left{std::abs(labels[anchor] - labels[by_label_[low]]), by_label_[low]};
        const Other right{std::abs(labels[anchor] - labels[by_label_[high]]), by_label_[high]};
        const bool take_left = left.distance >= right.distance;
        const Other taken = take_left ? left : right;
        far_to_near[n] = taken;
        low += take_left ? 1 : 0;
        high -= take_left ? 0 : 1;
        n += taken.row != anchor ? 1 : 0;
    }
    const OtherSums sums = exponentials_of_others(config_, row, labels, anchor);
    // denominators[n]: sum over all that are at least as far as n, ties included.
    double total = 0;
    for (std::size_t n = 0; n < others; ++n) {
        denominators[n] = total += static_cast<double>(row[far_to_near[n].row]);
    }
    // inverses[n]: sum of 1 / denominators over all that are not farther than n. Both sums are
    // made first as if there were no ties.
    double inverse = 0;
    for (std::size_t n = others; n-- > 0;) {
        const bool ties = n + 1 < others && far_to_near[n].distance == far_to_near[n + 1].distance;
        denominators[n] = ties ? denominators[n + 1] : denominators[n];
        inverses[n] = inverse += 1 / denominators[n];
    }
    const double scale = 1 / static_cast<double>(config_.temperature);
    const auto pairs = static_cast<double>(others);
    row_loss_[anchor] = (sum_of_logs(denominators) + scale * (pairs - sums.attracted)) / pairs;
    for (std::size_t n = 0; n < others; ++n) {
        const bool ties = n > 0 && far_to_near[n].distance == far_to_near[n - 1].distance;
        inverses[n] = ties ? inverses[n - 1] : inverses[n];
        float& value = row[far_to_near[n].row];
        value = static_cast<float>((static_cast<double>(value) * inverses[n] - 1) * scale / pairs);
    }
}

// A similarity appears in the row of both of its ends.
std::span<const float> ContrastiveLoss::rank_gradients(std::size_t begin, std::size_t end) {
    const std::size_t rows = row_loss_.size();
    thread_local std::vector<float> both;
    both.resize((end - begin) * stride_);
    const float mean = 1 / static_cast<float>(rows);
    for (std::size_t j = 0; j < rows; ++j) {
        const float* const column = pairs_.data() + j * stride_;
        for (std::size_t i = begin; i < end; ++i) {
            both[(i - begin) * stride_ + j] = mean * (pairs_[i * stride_ + j] + column[i]);
        }
    }
    return both;
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
