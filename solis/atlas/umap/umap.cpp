// The stages of UMAP one after the other.
#include "solis/atlas/umap/umap.h"

#include <cmath>

#include <fmt/format.h>

#include "solis/atlas/umap/layout.h"
#include "solis/atlas/umap/start.h"

namespace solis::atlas {

Result<void> check_options(const UmapOptions& options) {
    const auto within = [](double value, double low, double high) {
        return value >= low && value <= high;  // false for NaN
    };
    if (!within(static_cast<double>(options.n_neighbors), 2, 1000)) {
        return fail(fmt::format("n_neighbors is {}, not within 2 and 1000", options.n_neighbors));
    }
    if (!within(options.spread, 0.01, 100)) {
        return fail(fmt::format("spread is {}, not within 0.01 and 100", options.spread));
    }
    if (!within(options.min_dist, 0, options.spread)) {
        return fail(fmt::format("min_dist is {}, not within 0 and spread, which is {}",
                                options.min_dist, options.spread));
    }
    if (!within(static_cast<double>(options.n_epochs), 0, 100'000)) {
        return fail(fmt::format("n_epochs is {}, not within 0 and 100000", options.n_epochs));
    }
    if (!within(options.learning_rate, 1e-6, 100)) {
        return fail(
            fmt::format("learning_rate is {}, not within 0.000001 and 100", options.learning_rate));
    }
    if (!within(static_cast<double>(options.negative_sample_rate), 1, 100)) {
        return fail(fmt::format("negative_sample_rate is {}, not within 1 and 100",
                                options.negative_sample_rate));
    }
    return {};
}

std::size_t epochs_for(const UmapOptions& options, std::size_t points) {
    if (options.n_epochs > 0) return options.n_epochs;
    return points <= 10'000 ? 500 : 200;
}

Result<UmapFit> fit_umap(PointsView points, const UmapOptions& options, ThreadPool& pool,
                         const Watch& watch) {
    if (auto ok = check_options(options); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_points(points, options.metric); !ok) return tl::unexpected(ok.error());
    UmapFit fit;
    fit.exact = points.rows() <= options.exact_limit;
    const std::size_t count = options.n_neighbors - 1;
    HnswOptions hnsw;
    hnsw.seed = options.seed;
    auto found = fit.exact ? exact_neighbours(points, options.metric, count, pool, watch)
                           : hnsw_neighbours(points, options.metric, count, hnsw, pool, watch);
    if (!found) return tl::unexpected(found.error());
    fit.neighbours = std::move(*found);
    const FuzzySet set = fuzzy_set(fit.neighbours, pool);
    fit.places = starting_places(points, set, options, pool);
    if (points.rows() == 1) {
        fit.places = {Place{}};
        return fit;
    }
    if (auto ok = lay_out(set, options, fit.places, pool, watch); !ok) {
        return tl::unexpected(ok.error());
    }
    return fit;
}

}  // namespace solis::atlas
