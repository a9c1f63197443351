// Making, keeping and finding maps.
#include "solis/studio/map/studio_map.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "solis/analysis/space/position_map.h"
#include "solis/atlas/file/map_file.h"
#include "solis/atlas/file/sealed_file.h"
#include "solis/base/byte_source.h"
#include "solis/base/file.h"
#include "solis/chess/position.h"

namespace solis::studio {
namespace {

static_assert(std::endian::native == std::endian::little, "floats are sent as they are in memory");

std::string float_bytes(std::span<const float> values) {
    std::string bytes(values.size_bytes(), '\0');
    std::memcpy(bytes.data(), values.data(), values.size_bytes());
    return bytes;
}

Layout layout_of(std::string id, atlas::MapData data, const StudioModel& model, ThreadPool& pool) {
    Layout layout;
    layout.id = std::move(id);
    std::vector<float> flat;
    layout.bounds = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (const atlas::Place& place : data.places) {
        flat.push_back(place.x);
        flat.push_back(place.y);
        layout.bounds = {std::min(layout.bounds[0], place.x), std::min(layout.bounds[1], place.y),
                         std::max(layout.bounds[2], place.x), std::max(layout.bounds[3], place.y)};
    }
    layout.bytes = std::make_shared<const std::string>(float_bytes(flat));
    layout.map = std::make_unique<const atlas::Map>(std::move(data), pool);
    if (const auto arrow = analysis::axis_arrow(*layout.map, model.space)) {
        layout.black = arrow->from;
        layout.white = arrow->to;
    }
    return layout;
}

// Both layouts and everything that follows from them. `umap` has points and values.
Result<StudioMapPtr> assembled(const StudioModel& model, analysis::SimilarIndex sample,
                               atlas::MapData umap, std::string source, bool preview,
                               ThreadPool& pool, const analysis::Listener& listener) {
    auto axis = atlas::make_map(atlas::MapKind::Axis, umap.points, umap.dims, umap.options,
                                model.space.axis().direction, pool, listener.watch());
    if (!axis) return tl::unexpected(axis.error());
    auto map = std::make_shared<StudioMap>();
    map->preview = preview;
    map->source = std::move(source);
    map->values = umap.values;
    map->value_bytes = std::make_shared<const std::string>(float_bytes(map->values));
    map->sample = std::move(sample);
    map->layouts.push_back(layout_of("axis", std::move(*axis), model, pool));
    map->layouts.push_back(layout_of("umap", std::move(umap), model, pool));
    map->id = atlas::hash_text(*map->layouts[1].bytes + *map->value_bytes + model.space.hash());
    return map;
}

std::string index_path(const std::string& path) { return path + ".games"; }
std::string layout_path(const std::string& path) { return path + ".map"; }

}  // namespace

const Layout* StudioMap::layout(std::string_view wanted) const {
    const auto found = std::find_if(layouts.begin(), layouts.end(),
                                    [&](const Layout& layout) { return layout.id == wanted; });
    return found == layouts.end() ? nullptr : &*found;
}

std::vector<atlas::NearIndex::Hit> StudioMap::nearest(std::span<const float> z,
                                                      std::size_t count) const {
    const Layout* umap = layout("umap");
    if (umap == nullptr || umap->map->index() == nullptr) return {};
    return umap->map->index()->nearest(z, count);
}

Result<StudioMapPtr> make_studio_map(const StudioModel& model, GameSample sample, bool preview,
                                     ThreadPool& pool, const analysis::Listener& listener) {
    if (!listener.goes_on("embedding", 0, 0)) return fail("interrupted");
    const std::vector<chess::Position> positions = sample.positions();
    std::vector<float> z = model.space.embed(positions, pool);
    const std::vector<double> p = model.space.win_probabilities(z, positions, pool);
    analysis::SimilarIndex index;
    index.space = model.space.hash();
    index.source = sample.source;
    index.dims = model.space.dims();
    index.points = z;
    index.rows = std::move(sample.rows);
    index.games = std::move(sample.games);
    atlas::UmapOptions options;
    if (preview) options.n_epochs = 100;
    auto umap = atlas::make_map(atlas::MapKind::Umap, std::move(z), model.space.dims(), options,
                                model.space.axis().direction, pool, listener.watch());
    if (!umap) return tl::unexpected(umap.error());
    umap->space = model.space.hash();
    umap->values.assign(p.begin(), p.end());
    return assembled(model, std::move(index), std::move(*umap), sample.source, preview, pool,
                     listener);
}

Result<StudioMapPtr> studio_map_from_file(const StudioModel& model, const std::string& path,
                                          ThreadPool& pool, const analysis::Listener& listener) {
    auto read = analysis::load_position_map(path, model.space);
    if (!read) return tl::unexpected(read.error());
    atlas::MapData data = std::move(read->data);
    if (data.kind != atlas::MapKind::Umap) {
        auto umap = atlas::make_map(atlas::MapKind::Umap, std::move(data.points), data.dims, {},
                                    model.space.axis().direction, pool, listener.watch());
        if (!umap) return tl::unexpected(umap.error());
        umap->values = std::move(data.values);
        data = std::move(*umap);
    }
    return assembled(model, {}, std::move(data), read->sample.source, false, pool, listener);
}

Result<void> save_studio_map(const StudioMap& map, const std::string& path) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    if (auto ok = write_file_atomically(index_path(path), analysis::to_index_file(map.sample));
        !ok) {
        return ok;
    }
    return atlas::save_map(layout_path(path), map.layout("umap")->map->data());
}

StudioMapPtr load_studio_map(const StudioModel& model, const std::string& path, ThreadPool& pool) {
    const auto bytes = read_regular_file(index_path(path));
    if (!bytes) return nullptr;
    auto index = analysis::parse_index_file(*bytes);
    auto umap = atlas::load_map(layout_path(path));
    if (!index || !umap || umap->kind != atlas::MapKind::Umap) return nullptr;
    const bool fits = index->space == model.space.hash() && umap->space == index->space &&
                      index->rows.size() == umap->rows() && umap->values.size() == umap->rows() &&
                      umap->dims == model.space.dims();
    if (!fits) return nullptr;
    std::string source = index->source;
    auto map =
        assembled(model, std::move(*index), std::move(*umap), std::move(source), false, pool, {});
    return map ? *map : nullptr;
}

}  // namespace solis::studio
