// Held-out metrics.
#include "solis/train/validation.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/chess/movegen.h"
#include "solis/data/sampler.h"
#include "solis/model/metrics.h"
#include "solis/train/batches.h"

namespace solis::train {
namespace {

constexpr std::size_t kEmbedAtOnce = 1024;
// A move after which the engine's view worsens by more than this was not its best.
constexpr int kBestMoveTolerance = 15;
// In won and lost positions nearly every move is "best".
constexpr int kUndecided = 600;

bool is_best_move(data::Score before, data::Score after) {
    if (before.is_none() || after.is_none() || std::abs(before.value()) > kUndecided) return false;
    return -after.value() >= before.value() - kBestMoveTolerance;
}

MoveQuestion make_question(const chess::Position& position, chess::Move best) {
    MoveQuestion question;
    for (const chess::Move move : chess::legal_moves(position)) {
        if (move == best) question.best = question.children.size();
        question.children.push_back(position.after(move));
    }
    return question;
}

void add_questions(const data::LabelledGame& game, std::size_t most,
                   std::vector<MoveQuestion>& questions) {
    chess::Position position = game.start;
    for (std::size_t i = 1; i < game.line.size() && questions.size() < most; ++i) {
        const data::Ply& ply = game.line[i];
        // Every eighth move: neighbours in a game ask nearly the same question.
        if (i % 8 == 1 && is_best_move(game.line[i - 1].score, ply.score)) {
            questions.push_back(make_question(position, ply.move));
        }
        position = position.after(ply.move);
    }
}

Result<void> load_questions(const TrainConfig& config, std::optional<data::Split> split,
                            std::vector<MoveQuestion>& questions) {
    const auto most = static_cast<std::size_t>(config.validation.moves);
    for (const std::string& path : config.data.stores) {
        auto file = data::StoreFile::open(path);
        if (!file) return tl::unexpected(file.error());
        data::StoreSource source(std::move(*file), on_damage(config), split, split_shares(config));
        data::LabelledGame game;
        while (questions.size() < most) {
            const auto more = source.next(game);
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
            add_questions(game, most, questions);
        }
    }
    return {};
}

std::vector<float> embed_all(TrainableEncoder& encoder, std::span<const chess::Position> positions,
                             ThreadPool& pool) {
    std::vector<float> z(positions.size() * encoder.dims());
    for (std::size_t at = 0; at < positions.size(); at += kEmbedAtOnce) {
        const std::size_t count = std::min(kEmbedAtOnce, positions.size() - at);
        encoder.embed(positions.subspan(at, count), pool,
                      std::span(z).subspan(at * encoder.dims(), count * encoder.dims()));
    }
    return z;
}

std::vector<float> scores_of(std::span<const float> z, const model::AdvantageAxis& axis) {
    std::vector<float> scores(z.size() / axis.dims());
    for (std::size_t i = 0; i < scores.size(); ++i) {
        scores[i] = axis.score(z.subspan(i * axis.dims(), axis.dims()));
    }
    return scores;
}

std::vector<float> labels_in(View view, std::span<const chess::Position> positions,
                             std::span<const float> of_mover) {
    std::vector<float> labels;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        labels.push_back(label_in(view, positions[i], of_mover[i]));
    }
    return labels;
}

// Wins and losses of whoever the view belongs to.
Result<model::AdvantageAxis> fit_axis(View view, std::span<const float> z,
                                      std::span<const float> labels, std::size_t dims) {
    std::vector<float> wins(dims), losses(dims);
    std::size_t won = 0, lost = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] != 0 && labels[i] != 1) continue;
        std::vector<float>& sum = labels[i] == 1 ? wins : losses;
        (labels[i] == 1 ? won : lost) += 1;
        for (std::size_t d = 0; d < dims; ++d) sum[d] += z[i * dims + d];
    }
    if (won == 0 || lost == 0) {
        return fail(
            fmt::format("{} positions won for {} and {} lost: the advantage axis needs both", won,
                        view == View::Mover ? "the side to move" : "White", lost),
            "use more held-out positions with forced mates");
    }
    for (float& value : wins) value /= static_cast<float>(won);
    for (float& value : losses) value /= static_cast<float>(lost);
    if (view == View::Mover) return model::axis_from_mover_means(wins, losses);
    return model::axis_from_means(std::move(wins), std::move(losses));
}

// The values of positions in the line of a game; all where there are none.
std::vector<float> played_only(std::span<const float> values,
                               std::span<const data::PositionKind> kinds) {
    std::vector<float> played;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (kinds[i] == data::PositionKind::Line) played.push_back(values[i]);
    }
    return played.empty() ? std::vector<float>(values.begin(), values.end()) : played;
}

// Every second element, from `first` on.
std::vector<float> half(std::span<const float> values, std::size_t first) {
    std::vector<float> out;
    for (std::size_t i = first; i < values.size(); i += 2) out.push_back(values[i]);
    return out;
}

Result<double> calibration_error(std::span<const float> scores, std::span<const float> labels) {
    const auto curve = model::fit_calibration(half(scores, 0), half(labels, 0));
    if (!curve) return tl::unexpected(curve.error());
    std::vector<float> predicted = half(scores, 1);
    for (float& value : predicted) {
        value = static_cast<float>(curve->win_probability(static_cast<double>(value)));
    }
    return model::expected_calibration_error(predicted, half(labels, 1));
}

void rank_moves(TrainableEncoder& encoder, const ValidationSet& set,
                const model::AdvantageAxis& axis, ThreadPool& pool, ValidationReport& report) {
    std::vector<chess::Position> children;
    for (const MoveQuestion& question : set.questions) {
        children.insert(children.end(), question.children.begin(), question.children.end());
    }
    std::vector<float> scores = scores_of(embed_all(encoder, children, pool), axis);
    if (encoder.view() == View::White) {
        for (std::size_t i = 0; i < scores.size(); ++i) {
            if (children[i].side_to_move() == chess::Color::Black) scores[i] = -scores[i];
        }
    }
    std::size_t first = 0, top1 = 0, top3 = 0, top5 = 0;
    for (const MoveQuestion& question : set.questions) {
        const auto own = std::span(scores).subspan(first, question.children.size());
        // Children are seen by the opponent: the mover wants them low.
        const auto better = std::count_if(own.begin(), own.end(),
                                          [&](float score) { return score < own[question.best]; });
        top1 += better < 1;
        top3 += better < 3;
        top5 += better < 5;
        first += question.children.size();
    }
    const double all = std::max(1.0, static_cast<double>(set.questions.size()));
    report.top1 = static_cast<double>(top1) / all;
    report.top3 = static_cast<double>(top3) / all;
    report.top5 = static_cast<double>(top5) / all;
    report.questions = set.questions.size();
}

}  // namespace

Result<ValidationSet> ValidationSet::load(const TrainConfig& config,
                                          std::optional<data::Split> split) {
    ValidationSet set;
    data::SamplerOptions options;
    options.split = split;
    options.shares = split_shares(config);
    options.prefetch = false;
    options.on_damage = on_damage(config);
    const std::vector<std::filesystem::path> stores(config.data.stores.begin(),
                                                    config.data.stores.end());
    auto sampler = data::PositionSampler::open(stores, options);
    if (!sampler) return fail_in("validation", sampler.error());
    const auto wanted = static_cast<std::uint64_t>(config.validation.positions);
    std::vector<data::Sample> drawn(std::min(wanted, sampler->size()));
    if (auto ok = sampler->next(drawn); !ok) return tl::unexpected(ok.error());
    set.skipped = sampler->report();
    for (const data::Sample& sample : drawn) {
        set.positions.push_back(sample.position);
        set.labels.push_back(static_cast<float>(sample.mover_probability()));
        set.aims.push_back(training_label(config, sample.label.score));
        set.kinds.push_back(sample.label.kind);
    }
    if (auto ok = load_questions(config, split, set.questions); !ok)
        return tl::unexpected(ok.error());
    return set;
}

Result<AxisFit> validate_encoder(TrainableEncoder& encoder, const ValidationSet& set,
                                 ThreadPool& pool,
                                 const std::optional<model::AdvantageAxis>& given) {
    const std::vector<float> z = embed_all(encoder, set.positions, pool);
    if (auto ok = encoder.take_status(); !ok) return tl::unexpected(ok.error());
    const std::vector<float> labels = labels_in(encoder.view(), set.positions, set.labels);
    const std::vector<float> aims = labels_in(encoder.view(), set.positions, set.aims);
    auto axis = given ? *given : fit_axis(encoder.view(), z, labels, encoder.dims());
    if (!axis) return tl::unexpected(axis.error());
    const std::vector<float> scores = scores_of(z, *axis);
    const std::vector<float> played = played_only(scores, set.kinds);
    const std::vector<float> played_labels = played_only(labels, set.kinds);
    auto calibration = model::fit_calibration(played, played_labels);
    if (!calibration) return tl::unexpected(calibration.error());
    const auto error = calibration_error(played, played_labels);
    if (!error) return tl::unexpected(error.error());
    ValidationReport report;
    report.spearman = model::spearman(scores, aims);
    report.kendall = model::kendall_tau(scores, aims);
    report.calibration_error = *error;
    report.positions = set.positions.size();
    rank_moves(encoder, set, *axis, pool, report);
    if (auto ok = encoder.take_status(); !ok) return tl::unexpected(ok.error());
    return AxisFit{std::move(*axis), std::move(*calibration), report};
}

std::vector<BiasRow> measure_bias(TrainableEncoder& encoder, const ValidationSet& set,
                                  const AxisFit& fit, ThreadPool& pool) {
    std::vector<BiasRow> rows;
    for (const data::PositionKind kind : {data::PositionKind::Line, data::PositionKind::Branch}) {
        for (const auto& [least, most] : {std::pair{25, 32}, {13, 24}, {2, 12}}) {
            rows.push_back({kind, least, most});
        }
    }
    const std::vector<float> scores = scores_of(embed_all(encoder, set.positions, pool), fit.axis);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const int pieces = chess::count(set.positions[i].pieces());
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const BiasRow& r) {
            return r.kind == set.kinds[i] && pieces >= r.min_pieces && pieces <= r.max_pieces;
        });
        if (row == rows.end()) continue;
        const double p = fit.calibration.win_probability(static_cast<double>(scores[i]));
        ++row->positions;
        row->label += static_cast<double>(set.labels[i]);
        row->model += label_in(encoder.view(), set.positions[i], static_cast<float>(p));
    }
    for (BiasRow& row : rows) {
        const auto n = static_cast<double>(std::max<std::size_t>(row.positions, 1));
        row.label /= n;
        row.model /= n;
    }
    return rows;
}

}  // namespace solis::train
