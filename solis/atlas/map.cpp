// Making maps and putting points into them.
#include "solis/atlas/map.h"

#include <fmt/format.h>

#include "solis/atlas/umap/layout.h"

namespace solis::atlas {
namespace {

// As in umap-learn: a third of what a fit without given epochs takes.
std::size_t settling_epochs(const UmapOptions& options, std::size_t points) {
    if (options.n_epochs > 0) return options.n_epochs / 3 + 1;
    return points <= 10'000 ? 100 : 30;
}

// umap-learn ties a new point to its neighbours without taking the nearest distance off.
std::vector<Tie> ties_of(const std::vector<NearIndex::Hit>& hits) {
    std::vector<float> distances;
    for (const NearIndex::Hit& hit : hits) distances.push_back(hit.distance);
    const LocalScale scale = scale_from_zero(distances);
    std::vector<Tie> ties;
    for (const NearIndex::Hit& hit : hits) {
        ties.push_back({hit.index, membership(hit.distance, scale)});
    }
    return ties;
}

}  // namespace

std::string_view name_of(MapKind kind) {
    switch (kind) {
        case MapKind::Umap:
            return "umap";
        case MapKind::Pca:
            return "pca";
        case MapKind::Axis:
            break;
    }
    return "axis";
}

Result<MapKind> map_kind_from_name(std::string_view name) {
    for (const MapKind kind : {MapKind::Umap, MapKind::Pca, MapKind::Axis}) {
        if (name_of(kind) == name) return kind;
    }
    return fail(fmt::format("there is no map of the kind '{}'", name), "use umap, pca or axis");
}

Result<MapData> make_map(MapKind kind, std::vector<float> points, std::size_t dims,
                         const UmapOptions& options, std::span<const float> axis, ThreadPool& pool,
                         const Watch& watch) {
    MapData map;
    map.kind = kind;
    map.options = options;
    map.dims = dims;
    map.points = std::move(points);
    if (kind == MapKind::Umap) {
        auto fit = fit_umap(map.view(), options, pool, watch);
        if (!fit) return tl::unexpected(fit.error());
        map.places = std::move(fit->places);
        map.neighbour_count = fit->neighbours.count;
        map.neighbours = std::move(fit->neighbours.index);
        return map;
    }
    if (auto ok = check_points(map.view(), Metric::Euclidean); !ok) {
        return tl::unexpected(ok.error());
    }
    if (kind == MapKind::Axis && axis.size() != dims) {
        return fail(
            fmt::format("the axis has {} dimensions, the points have {}", axis.size(), dims));
    }
    map.projection = kind == MapKind::Axis ? axis_projection(map.view(), axis, pool)
                                           : pca_projection(map.view(), pool);
    map.places = project(map.view(), *map.projection, pool);
    return map;
}

Map::Map(MapData data, ThreadPool& pool) : data_(std::move(data)) {
    if (data_.kind != MapKind::Umap) return;
    index_ = std::make_unique<const NearIndex>(data_.view(), data_.options.metric, data_.neighbours,
                                               data_.neighbour_count, pool);
    forces_ =
        std::make_unique<const Forces>(fit_curve(data_.options.min_dist, data_.options.spread));
}

Place Map::settled(std::span<const float> point) const {
    const auto hits = index_->nearest(point, data_.options.n_neighbors);
    return settle(ties_of(hits), data_.places, *forces_, data_.options,
                  settling_epochs(data_.options, data_.rows()));
}

Result<Place> Map::place(std::span<const float> point) const {
    if (point.size() != data_.dims) {
        return fail(fmt::format("the point has {} dimensions, the map's points have {}",
                                point.size(), data_.dims));
    }
    const Metric metric = index_ ? data_.options.metric : Metric::Euclidean;
    if (auto ok = check_points({point, data_.dims}, metric); !ok) {
        return tl::unexpected(ok.error());
    }
    return index_ ? settled(point) : (*data_.projection)(point);
}

Result<std::vector<Place>> Map::place_all(PointsView points, ThreadPool& pool) const {
    if (points.rows() == 0) return std::vector<Place>{};
    const Metric metric = index_ ? data_.options.metric : Metric::Euclidean;
    if (auto ok = check_points(points, metric); !ok) return tl::unexpected(ok.error());
    if (points.dims != data_.dims) return tl::unexpected(place(points.row(0)).error());
    std::vector<Place> places(points.rows());
    pool.run(places.size(), [&](std::size_t i) { places[i] = *place(points.row(i)); });
    return places;
}

}  // namespace solis::atlas
