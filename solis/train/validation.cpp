// Held-out metrics.
#include "solis/train/validation.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solis/model/metrics.h"

namespace solis::train {
namespace {

constexpr std::size_t kEmbedAtOnce = 1024;
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

std::vector<float> probabilities(const model::Calibration& curve, std::span<const float> scores) {
    std::vector<float> p;
    for (const float score : scores) {
        p.push_back(static_cast<float>(curve.win_probability(static_cast<double>(score))));
    }
    return p;
}

Result<double> calibration_error(std::span<const float> scores, std::span<const float> labels) {
    const auto curve = model::fit_calibration(half(scores, 0), half(labels, 0));
    if (!curve) return tl::unexpected(curve.error());
    return model::expected_calibration_error(probabilities(*curve, half(scores, 1)),
                                             half(labels, 1));
}

// White's scores for the side to move.
void flip_for_mover(std::span<const chess::Position> positions, std::span<float> scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (positions[i].side_to_move() == chess::Color::Black) scores[i] = -scores[i];
    }
}

MoverScores scores_by(TrainableEncoder& encoder, const model::AdvantageAxis& axis,
                      ThreadPool& pool) {
    return [&](std::span<const chess::Position> positions, std::span<float> out) {
        const std::vector<float> scores = scores_of(embed_all(encoder, positions, pool), axis);
        std::copy(scores.begin(), scores.end(), out.begin());
        if (encoder.view() == View::White) flip_for_mover(positions, out);
    };
}

}  // namespace

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
    measure_order(set, scores, aims, report);
    report.mean_error = model::mean_error(probabilities(*calibration, scores), labels);
    report.calibration_error = *error;
    measure_moves(set, scores_by(encoder, *axis, pool), report);
    if (auto ok = encoder.take_status(); !ok) return tl::unexpected(ok.error());
    return AxisFit{std::move(*axis), std::move(*calibration), report};
}

ValidationReport measure_model(const model::LoadedModel& model, const ValidationSet& set) {
    const auto evaluator = model.make_evaluator();
    std::vector<float> scores(set.positions.size());
    evaluator->score(set.positions, scores);
    std::vector<float> predicted;
    std::array<std::vector<std::size_t>, 2> of_encoder;  // the model's own, that for endings
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const chess::Position& position = set.positions[i];
        const auto p = static_cast<float>(model.win_probability(scores[i], position));
        predicted.push_back(position.side_to_move() == chess::Color::White ? p : 1 - p);
        of_encoder[model.has_ending(position) ? 1 : 0].push_back(i);
    }
    ValidationReport report;
    // Compared in the view in which the model sees, as in training.
    const auto measure = [&](std::span<const std::size_t> numbers, ValidationReport& to) {
        const ValidationSet part = set.only(numbers);
        std::vector<float> own;
        for (const std::size_t i : numbers) own.push_back(scores[i]);
        const View view = model.readout().view();
        if (view == View::Mover) flip_for_mover(part.positions, own);
        measure_order(part, own, labels_in(view, part.positions, part.aims), to);
    };
    measure(of_encoder[0], report);
    if (report.endings = of_encoder[1].size(); report.endings > 1) {
        ValidationReport endings;
        measure(of_encoder[1], endings);
        report.endings_spearman = endings.spearman;
    }
    report.mean_error = model::mean_error(predicted, set.labels);
    report.calibration_error = model::expected_calibration_error(
        played_only(predicted, set.kinds), played_only(set.labels, set.kinds));
    // Siblings may be of both encoders: they are compared as plans do it, on one scale.
    measure_moves(
        set,
        [&](std::span<const chess::Position> positions, std::span<float> out) {
            evaluator->score(positions, out);
            for (std::size_t i = 0; i < positions.size(); ++i) {
                out[i] = model.centred_score(out[i], positions[i]);
            }
        },
        report);
    return report;
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
