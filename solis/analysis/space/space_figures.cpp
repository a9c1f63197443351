// Computing the figures of a space.
#include "solis/analysis/space/space_figures.h"

#include <algorithm>
#include <cmath>

#include "solis/atlas/neighbours/neighbours.h"
#include "solis/atlas/pca.h"
#include "solis/model/metrics.h"
#include "solis/nn/kernels/neighbour_kernels.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::analysis {
namespace {

constexpr std::size_t kNearest = 15;

double mean_of_values(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double deviation(std::span<const double> values) {
    const double mean = mean_of_values(values);
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

// Squared correlation.
double explained_by_line(std::span<const float> x, std::span<const float> y) {
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mx += static_cast<double>(x[i]), my += static_cast<double>(y[i]);
    }
    mx /= static_cast<double>(x.size()), my /= static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double dx = static_cast<double>(x[i]) - mx, dy = static_cast<double>(y[i]) - my;
        xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
    return xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
}

double uniformity_of(atlas::PointsView points) {
    constexpr std::size_t kPairs = 200'000;
    Rng rng(Seed{1});
    double sum = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const auto a = points.row(rng.below(points.rows())),
                   b = points.row(rng.below(points.rows()));
        sum += std::exp(-2 * static_cast<double>(nn::squared_distance(a, b)));
    }
    return std::log(sum / kPairs);
}

// The maximum-likelihood dimension from the ratio of the two nearest distances.
double two_nearest_dims(const atlas::Neighbours& near, std::size_t rows) {
    double sum = 0;
    std::size_t counted = 0;
    for (std::size_t i = 0; i < rows && near.count >= 2; ++i) {
        const double r1 = static_cast<double>(near.distances(i)[0]);
        const double r2 = static_cast<double>(near.distances(i)[1]);
        if (!(r1 > 0)) continue;  // duplicates say nothing
        sum += std::log(r2 / r1);
        ++counted;
    }
    return sum > 0 ? static_cast<double>(counted) / sum : 0;
}

double participation(atlas::PointsView points, ThreadPool& pool) {
    const atlas::Pca pca = atlas::principal_components(points, points.dims, pool);
    double sum = 0, squares = 0;
    for (const double variance : pca.variances) sum += variance, squares += variance * variance;
    return squares > 0 ? sum * sum / squares : 0;
}

double mean_local_spread(const atlas::Neighbours& near, std::span<const double> p) {
    std::vector<double> spreads, around;
    for (std::size_t i = 0; i < p.size(); ++i) {
        around.clear();
        for (const std::uint32_t j : near.indices(i)) around.push_back(p[j]);
        spreads.push_back(deviation(around));
    }
    return mean_of_values(spreads);
}

std::vector<CalibrationBin> calibration_bins(std::span<const float> predicted,
                                             std::span<const float> actual) {
    constexpr std::size_t kBins = 15;
    std::vector<CalibrationBin> bins(kBins);
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        const auto p = static_cast<double>(predicted[i]);
        CalibrationBin& bin = bins[std::min(kBins - 1, static_cast<std::size_t>(p * kBins))];
        bin.predicted += p;
        bin.actual += static_cast<double>(actual[i]);
        ++bin.count;
    }
    std::erase_if(bins, [](const CalibrationBin& bin) { return bin.count == 0; });
    for (CalibrationBin& bin : bins) {
        bin.predicted /= static_cast<double>(bin.count);
        bin.actual /= static_cast<double>(bin.count);
    }
    return bins;
}

// Angles and directions of the steps of games.
class PathFigures {
  public:
    void add(const SeenGame& game, atlas::PointsView z, std::span<const float> axis) {
        std::vector<float> before, step(z.dims);
        for (std::size_t i = 1; i < z.rows(); ++i) {
            for (std::size_t d = 0; d < z.dims; ++d) step[d] = z.row(i)[d] - z.row(i - 1)[d];
            if (!before.empty()) add_angle(before, step);
            add_direction(game.result, nn::dot(step, axis));
            before = step;
        }
    }
    [[nodiscard]] std::optional<double> angle() const {
        return angles_ == 0 ? std::nullopt : std::optional(angle_ / static_cast<double>(angles_));
    }
    [[nodiscard]] std::optional<double> towards() const {
        return steps_ == 0
                   ? std::nullopt
                   : std::optional(static_cast<double>(towards_) / static_cast<double>(steps_));
    }

  private:
    void add_angle(std::span<const float> a, std::span<const float> b) {
        const double lengths =
            std::sqrt(static_cast<double>(nn::dot(a, a)) * static_cast<double>(nn::dot(b, b)));
        if (lengths < 1e-12) return;
        const double cosine = std::clamp(static_cast<double>(nn::dot(a, b)) / lengths, -1.0, 1.0);
        angle_ += std::acos(cosine) * 180 / 3.14159265358979323846;
        ++angles_;
    }
    void add_direction(chess::GameResult result, float change) {
        if (result == chess::GameResult::Unknown || result == chess::GameResult::Draw) return;
        if (change == 0) return;
        towards_ += (change > 0) == (result == chess::GameResult::WhiteWins) ? 1 : 0;
        ++steps_;
    }

    double angle_ = 0;
    std::size_t angles_ = 0, steps_ = 0, towards_ = 0;
};

void add_label_figures(const SpaceSample& sample, const SpaceModel& model, atlas::PointsView points,
                       std::span<const float> axis, bool predicts, const atlas::Neighbours& near,
                       SpaceFigures& figures) {
    std::vector<float> scores, labels, predicted;
    std::vector<double> p;
    for (std::size_t i = 0; i < points.rows(); ++i) {
        scores.push_back(nn::dot(points.row(i), axis));
        labels.push_back(*sample.labels[i]);
        p.push_back(static_cast<double>(*sample.labels[i]));
        predicted.push_back(
            static_cast<float>(model.win_probability(points.row(i), sample.positions[i])));
    }
    figures.linear = explained_by_line(scores, labels);
    figures.monotone = model::spearman(scores, labels);
    figures.local_spread = mean_local_spread(near, p);
    figures.global_spread = deviation(p);
    if (!predicts) return;
    figures.calibration = model::expected_calibration_error(predicted, labels);
    figures.bins = calibration_bins(predicted, labels);
}

}  // namespace

bool SpaceSample::labelled() const {
    return std::ranges::all_of(labels, [](const auto& label) { return label.has_value(); });
}

Result<SpaceSample> take_space_sample(const std::string& input, std::size_t positions,
                                      std::size_t games, Seed seed, const SpaceModel& generator,
                                      const Listener& listener) {
    auto drawn = sample_positions(input, positions, seed, generator, listener);
    if (!drawn) return tl::unexpected(drawn.error());
    SpaceSample sample{std::move(drawn->positions), std::move(drawn->labels), {}};
    if (input.empty()) {
        Rng rng(seed);
        while (sample.games.size() < games) sample.games.push_back(generated_game(generator, rng));
        return sample;
    }
    const auto read = read_games(input, listener, [&](SeenGame&& game) {
        if (game.moves.size() >= 2) sample.games.push_back(std::move(game));
        return sample.games.size() < games;
    });
    if (!read) return tl::unexpected(read.error());
    return sample;
}

SpaceFigures space_figures(const SpaceSample& sample, const SpaceModel& model,
                           std::span<const float> axis, bool predicts, ThreadPool& pool) {
    const std::vector<float> z = model.embed(sample.positions, pool);
    const atlas::PointsView points{z, model.dims()};
    SpaceFigures figures;
    figures.dims = model.dims();
    const auto near = atlas::exact_neighbours(points, atlas::Metric::Euclidean, kNearest, pool);
    figures.intrinsic_dims = two_nearest_dims(*near, points.rows());
    figures.uniformity = uniformity_of(points);
    figures.effective_dims = participation(points, pool);
    if (sample.labelled()) {
        add_label_figures(sample, model, points, axis, predicts, *near, figures);
    }
    PathFigures paths;
    for (const SeenGame& game : sample.games) {
        const std::vector<float> path = model.embed(game.positions, pool);
        paths.add(game, {path, model.dims()}, axis);
    }
    figures.angle = paths.angle();
    figures.towards = paths.towards();
    return figures;
}

std::optional<std::vector<float>> sample_axis(const SpaceSample& sample, const SpaceModel& model,
                                              ThreadPool& pool) {
    const std::vector<float> z = model.embed(sample.positions, pool);
    std::vector<double> sums[2] = {std::vector<double>(model.dims()),
                                   std::vector<double>(model.dims())};
    std::size_t counts[2] = {0, 0};
    for (std::size_t i = 0; i < sample.positions.size(); ++i) {
        const float p = sample.labels[i].value_or(0.5f);
        if (p > 0.25f && p < 0.75f) continue;
        const std::size_t side = p > 0.5f ? 1 : 0;
        ++counts[side];
        for (std::size_t d = 0; d < model.dims(); ++d) {
            sums[side][d] += static_cast<double>(z[i * model.dims() + d]);
        }
    }
    if (counts[0] == 0 || counts[1] == 0) return std::nullopt;
    std::vector<double> direction(model.dims());
    double length = 0;
    for (std::size_t d = 0; d < model.dims(); ++d) {
        direction[d] = sums[1][d] / static_cast<double>(counts[1]) -
                       sums[0][d] / static_cast<double>(counts[0]);
        length += direction[d] * direction[d];
    }
    if (!(length > 1e-12)) return std::nullopt;
    std::vector<float> axis;
    for (const double value : direction)
        axis.push_back(static_cast<float>(value / std::sqrt(length)));
    return axis;
}

}  // namespace solis::analysis
