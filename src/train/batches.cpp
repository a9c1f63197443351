// Batches: exact, as the paper makes them, or of siblings.
#include "train/batches.h"

#include <algorithm>
#include <cstdlib>

namespace solis::train {
namespace {

// views = paper: positives are looked for among this many further samples per anchor. The step
// alone decides which, so that a resumed run needs no more state than the sampler's.
constexpr std::size_t kCandidatesPerAnchor = 16;

data::SamplerOptions sampler_options(const TrainConfig& config) {
    data::SamplerOptions options;
    options.seed = Seed{static_cast<std::uint64_t>(config.seed)};
    options.split = data::Split::Train;
    options.shares = split_shares(config);
    options.filter.keep_branches = config.keep_branches;
    options.filter.skip_in_check = config.skip_in_check;
    if (config.max_disagreement < 1) options.filter.max_disagreement = config.max_disagreement;
    return options;
}

// Mates that take longer count as won; the longest against a bare king that two pieces force
// (bishop and knight) takes 33.
constexpr double kLongestMate = 40;

bool has_bare_king(const chess::Position& position) {
    return !chess::more_than_one(position.pieces(chess::Color::White)) ||
           !chess::more_than_one(position.pieces(chess::Color::Black));
}

}  // namespace

float training_label(data::Score score, double mate_range) {
    const double p = score.win_probability();
    if (mate_range <= 0 || !score.is_mate()) return static_cast<float>(p);
    const double moves = data::Score::kMate - std::abs(score.value());
    const double beyond = mate_range * std::max(0.0, 1 - moves / kLongestMate);
    return static_cast<float>(p > 0.5 ? p + beyond : p - beyond);
}

BatchSource::BatchSource(const TrainConfig& config, View view, Sampler sampler)
    : sampler_(std::move(sampler)),
      batch_(static_cast<std::size_t>(config.batch)),
      anchors_(0),
      positives_(static_cast<std::size_t>(config.positives)),
      margin_(static_cast<float>(config.margin)),
      mate_range_(config.mate_range),
      seed_{static_cast<std::uint64_t>(config.seed)},
      view_(view) {
    if (config.views == "paper") anchors_ = std::max<std::size_t>(1, batch_ / (1 + positives_));
}

float BatchSource::label_of(const data::Sample& sample) const {
    const double range = has_bare_king(sample.position) ? mate_range_ : 0;
    return label_in(view_, sample.position, training_label(sample.label.score, range));
}

Result<BatchSource> BatchSource::open(const TrainConfig& config, View view) {
    const std::vector<std::filesystem::path> stores(config.stores.begin(), config.stores.end());
    if (config.views == "siblings") {
        auto sampler = data::SiblingSampler::open(stores, sampler_options(config));
        if (!sampler) return tl::unexpected(sampler.error());
        return BatchSource(config, view, std::move(*sampler));
    }
    auto sampler = data::PositionSampler::open(stores, sampler_options(config));
    if (!sampler) return tl::unexpected(sampler.error());
    return BatchSource(config, view, std::move(*sampler));
}

std::uint64_t BatchSource::positions() const {
    if (const auto* siblings = std::get_if<data::SiblingSampler>(&sampler_)) {
        return 2 * siblings->size();
    }
    return std::get<data::PositionSampler>(sampler_).size();
}

data::SamplerState BatchSource::state() const {
    return std::visit([](const auto& sampler) { return sampler.state(); }, sampler_);
}

Result<void> BatchSource::restore(const data::SamplerState& state) {
    return std::visit([&](auto& sampler) { return sampler.restore(state); }, sampler_);
}

Result<void> BatchSource::next(std::uint64_t step, Batch& batch) {
    batch.positions.clear();
    batch.labels.clear();
    if (auto* siblings = std::get_if<data::SiblingSampler>(&sampler_)) {
        return take_siblings(*siblings, batch);
    }
    drawn_.resize(anchors_ == 0 ? batch_ : anchors_ * (1 + kCandidatesPerAnchor));
    if (auto ok = std::get<data::PositionSampler>(sampler_).next(drawn_); !ok) return ok;
    if (anchors_ == 0) {
        take_all(batch);
    } else {
        take_anchors_and_positives(step, batch);
    }
    return {};
}

void BatchSource::take_all(Batch& batch) const {
    for (const data::Sample& sample : drawn_) {
        batch.positions.push_back(sample.position);
        batch.labels.push_back(label_of(sample));
    }
}

// Whole sets, so that each position stands against the others that its parent chose from. The
// last set of a batch may lose some of its children.
Result<void> BatchSource::take_siblings(data::SiblingSampler& sampler, Batch& batch) {
    data::SiblingSet set;
    while (batch.positions.size() < batch_) {
        if (auto ok = sampler.next(std::span(&set, 1)); !ok) return ok;
        for (const data::SiblingSet::Child& child : set.children) {
            if (batch.positions.size() == batch_) break;
            const data::Sample sample{set.position.after(child.move),
                                      {child.score, {}, child.kind}};
            batch.positions.push_back(sample.position);
            batch.labels.push_back(label_of(sample));
        }
    }
    return {};
}

// Every positive carries the label of its anchor, as in the reference implementation.
void BatchSource::take_anchors_and_positives(std::uint64_t step, Batch& batch) const {
    Rng rng(Seed{seed_.value * 0x9E3779B97F4A7C15u + step});
    std::vector<std::uint32_t> by_label;
    for (std::size_t i = anchors_; i < drawn_.size(); ++i) {
        by_label.push_back(static_cast<std::uint32_t>(i));
    }
    const auto below = [&](std::uint32_t i, float label) { return label_of(drawn_[i]) < label; };
    std::sort(by_label.begin(), by_label.end(), [&](std::uint32_t a, std::uint32_t b) {
        return label_of(drawn_[a]) < label_of(drawn_[b]);
    });
    for (std::size_t a = 0; a < anchors_; ++a) {
        const float label = label_of(drawn_[a]);
        batch.positions.push_back(drawn_[a].position);
        batch.labels.push_back(label);
        const auto first =
            std::lower_bound(by_label.begin(), by_label.end(), label - margin_, below);
        const auto last = std::lower_bound(first, by_label.end(), label + margin_, below);
        const auto choices = static_cast<std::uint64_t>(last - first);
        for (std::size_t n = 0; n < positives_ && choices > 0; ++n) {
            const std::uint32_t pick = first[static_cast<std::ptrdiff_t>(rng.below(choices))];
            batch.positions.push_back(drawn_[pick].position);
            batch.labels.push_back(label);
        }
    }
}

}  // namespace solis::train
