// Batches: exact, as the paper makes them, or of siblings.
#include "solis/train/batches.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "solis/model/nnue/teacher.h"

namespace solis::train {
namespace {

// views = paper: positives are looked for among this many further samples per anchor. The step
// alone decides which, so that a resumed run needs no more state than the sampler's.
constexpr std::size_t kCandidatesPerAnchor = 16;

data::SamplerOptions sampler_options(const TrainConfig& config) {
    data::SamplerOptions options;
    options.seed = Seed{static_cast<std::uint64_t>(config.run.seed)};
    options.split = data::Split::Train;
    options.shares = split_shares(config);
    options.on_damage = on_damage(config);
    options.filter.keep_branches = config.data.keep_branches;
    options.filter.keep_decided = config.data.keep_decided;
    options.filter.keep_unquiet = config.data.keep_unquiet;
    options.filter.skip_in_check = config.data.skip_in_check;
    if (config.data.max_disagreement < 1)
        options.filter.max_disagreement = config.data.max_disagreement;
    return options;
}

// Plies of the longest mate that two pieces force on a bare king: bishop and knight, 33 moves.
constexpr double kLongestMate = 66;
// How far it is from a draw, as a share of the way to a mate on the board.
constexpr double kLongestFromDraw = 0.1;

}  // namespace

Result<void> add_teacher(const TrainConfig& config, data::SamplerOptions& options) {
    if (config.data.teacher.empty()) return {};
    auto net = model::load_teacher_net(config.data.teacher);
    if (!net) return tl::unexpected(net.error());
    options.teacher = model::make_teacher(std::move(*net));
    options.children.per_position = static_cast<int>(config.data.teacher_children);
    options.children.two_ply_share = config.data.teacher_two_ply_share;
    options.teacher_threads = static_cast<std::size_t>(config.run.threads);
    return {};
}

float training_label(const TrainConfig& config, data::Score score) {
    if (config.loss.labels != LabelKind::MateDistance || !score.is_mate()) {
        return static_cast<float>(score.win_probability());
    }
    const int moves = data::Score::kMate - std::abs(score.value());
    const bool wins = score.value() > 0;
    const double plies = wins ? 2 * moves - 1 : 2 * moves;
    const double ahead =
        1 - (1 - kLongestFromDraw) * std::sqrt(std::min(1.0, plies / kLongestMate));
    return static_cast<float>(wins ? 0.5 + ahead / 2 : 0.5 - ahead / 2);
}

BatchSource::BatchSource(const TrainConfig& config, View view, Sampler sampler)
    : config_(config),
      filter_(sampler_options(config).filter),
      sampler_(std::move(sampler)),
      batch_(static_cast<std::size_t>(config.run.batch)),
      anchors_(0),
      positives_(static_cast<std::size_t>(config.loss.positives)),
      margin_(static_cast<float>(config.loss.margin)),
      seed_{static_cast<std::uint64_t>(config.run.seed)},
      view_(view) {
    if (config.loss.batching == Batching::Paper)
        anchors_ = std::max<std::size_t>(1, batch_ / (1 + positives_));
}

float BatchSource::label_of(const data::Sample& sample) const {
    return label_in(view_, sample.position, training_label(config_, sample.label.score));
}

Result<BatchSource> BatchSource::open(const TrainConfig& config, View view) {
    const std::vector<std::filesystem::path> stores(config.data.stores.begin(),
                                                    config.data.stores.end());
    data::SamplerOptions options = sampler_options(config);
    if (auto ok = add_teacher(config, options); !ok) return tl::unexpected(ok.error());
    if (config.loss.batching == Batching::Siblings) {
        auto sampler = data::SiblingSampler::open(stores, options);
        if (!sampler) return tl::unexpected(sampler.error());
        return BatchSource(config, view, std::move(*sampler));
    }
    auto sampler = data::PositionSampler::open(stores, options);
    if (!sampler) return tl::unexpected(sampler.error());
    return BatchSource(config, view, std::move(*sampler));
}

std::vector<std::string> BatchSource::unused_stores() const {
    const std::vector<std::uint64_t>& items = std::visit(
        [](const auto& sampler) -> const auto& { return sampler.items_of_stores(); }, sampler_);
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i] == 0) unused.push_back(config_.data.stores[i]);
    }
    return unused;
}

const data::ImportReport& BatchSource::skipped() const {
    return std::visit(
        [](const auto& sampler) -> const data::ImportReport& { return sampler.report(); },
        sampler_);
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
// last set of a batch may lose some of its children, and the filter is for children as well.
Result<void> BatchSource::take_siblings(data::SiblingSampler& sampler, Batch& batch) {
    data::SiblingSet set;
    std::uint64_t sets = 0;
    while (batch.positions.size() < batch_) {
        // An epoch without a single position: there will be none later.
        if (batch.positions.empty() && sets++ > sampler.size()) {
            return fail("no sibling in the stores passes the filters",
                        "keep more branches: --keep-branches");
        }
        if (auto ok = sampler.next(std::span(&set, 1)); !ok) return ok;
        for (const data::SiblingSet::Child& child : set.children) {
            if (batch.positions.size() == batch_) break;
            const data::Sample sample{set.position.after(child.move),
                                      {child.score, {}, child.kind}};
            if (!data::passes(filter_, sample)) continue;
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
