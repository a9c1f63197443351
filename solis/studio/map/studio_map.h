// A map of a model's space as the page shows it: two layouts of one sample.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solis/analysis/space/similar_index.h"
#include "solis/atlas/map.h"
#include "solis/studio/map/sample.h"
#include "solis/studio/models.h"

namespace solis::studio {

struct Layout {
    std::string id;  // "axis" or "umap"
    std::unique_ptr<const atlas::Map> map;
    std::array<float, 4> bounds{};  // least x and y, largest x and y
    // Where the mean of what each side wins lies.
    std::optional<atlas::Place> white, black;
    // float32, little-endian: x and y of each point.
    std::shared_ptr<const std::string> bytes;
};

// Never changes once it is made; used by many threads.
struct StudioMap {
    std::string id;  // another one for every other map
    bool preview = false;
    std::string source;
    analysis::SimilarIndex sample;  // no rows where the map came from a file
    std::vector<float> values;      // White's win probability of each point
    std::shared_ptr<const std::string> value_bytes;
    std::vector<Layout> layouts;

    [[nodiscard]] std::size_t count() const { return values.size(); }
    [[nodiscard]] const Layout* layout(std::string_view id) const;
    // The points nearest to an embedding, nearest first.
    [[nodiscard]] std::vector<atlas::NearIndex::Hit> nearest(std::span<const float> z,
                                                             std::size_t count) const;
};

using StudioMapPtr = std::shared_ptr<const StudioMap>;

// Embeds the sample with the model and lays it out; a preview is laid out in a hurry.
[[nodiscard]] Result<StudioMapPtr> make_studio_map(const StudioModel& model, GameSample sample,
                                                   bool preview, ThreadPool& pool,
                                                   const analysis::Listener& listener);
// A saved map (atlas::save_map), of this model.
[[nodiscard]] Result<StudioMapPtr> studio_map_from_file(const StudioModel& model,
                                                        const std::string& path, ThreadPool& pool,
                                                        const analysis::Listener& listener);

// Keeps a map in two files that begin with `path`, and finds it there again. What is found is of
// that model and whole, or nothing.
[[nodiscard]] Result<void> save_studio_map(const StudioMap& map, const std::string& path);
[[nodiscard]] StudioMapPtr load_studio_map(const StudioModel& model, const std::string& path,
                                           ThreadPool& pool);

}  // namespace solis::studio
