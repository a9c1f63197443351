// A map: points of a space, their places in the plane, and the rule by which new ones get theirs.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solis/atlas/neighbours/near_index.h"
#include "solis/atlas/pca.h"
#include "solis/atlas/umap/curve.h"
#include "solis/atlas/umap/options.h"
#include "solis/atlas/umap/umap.h"

namespace solis::atlas {

enum class MapKind { Umap, Pca, Axis };
[[nodiscard]] std::string_view name_of(MapKind kind);
[[nodiscard]] Result<MapKind> map_kind_from_name(std::string_view name);

// Everything that a map file holds.
struct MapData {
    MapKind kind = MapKind::Umap;
    std::string space;  // hash of the model that made the points; empty for none
    UmapOptions options;
    std::size_t dims = 0;
    std::vector<float> points;  // rows x dims
    std::vector<float> values;  // one per row, by which it is coloured; or none
    std::vector<Place> places;  // one per row
    // UMAP: of the points among themselves, rows x neighbour_count.
    std::size_t neighbour_count = 0;
    std::vector<std::uint32_t> neighbours;
    // The other kinds.
    std::optional<Projection> projection;

    [[nodiscard]] std::size_t rows() const { return places.size(); }
    [[nodiscard]] PointsView view() const { return {points, dims}; }
    friend bool operator==(const MapData&, const MapData&) = default;
};

// Fits a map of the kind; `axis` of length 1 is for MapKind::Axis only.
[[nodiscard]] Result<MapData> make_map(MapKind kind, std::vector<float> points, std::size_t dims,
                                       const UmapOptions& options, std::span<const float> axis,
                                       ThreadPool& pool, const Watch& watch = {});

// A map into which points can be put. It does not change by that: where a point lands depends on
// the point and the map alone, not on what was put in before or together with it.
class Map {
  public:
    Map(MapData data, ThreadPool& pool);

    [[nodiscard]] const MapData& data() const { return data_; }
    // Fails for another number of dimensions, values that are not finite, and for cosine a length
    // of 0. Takes some hundred microseconds. Safe from several threads.
    [[nodiscard]] Result<Place> place(std::span<const float> point) const;
    // Each row on its own, shared among the threads of the pool.
    [[nodiscard]] Result<std::vector<Place>> place_all(PointsView points, ThreadPool& pool) const;
    // The points of the map nearest to one that place() takes; only where the map has neighbours.
    [[nodiscard]] const NearIndex* index() const { return index_.get(); }

  private:
    [[nodiscard]] Place settled(std::span<const float> point) const;

    MapData data_;
    std::unique_ptr<const NearIndex> index_;  // of UMAP
    std::unique_ptr<const Forces> forces_;
};

}  // namespace solis::atlas
