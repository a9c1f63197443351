// Maps of positions: a sample is embedded and laid out in the plane, and drawn.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solis/analysis/space/sample.h"
#include "solis/atlas/draw/html.h"
#include "solis/atlas/draw/picture.h"
#include "solis/atlas/map.h"

namespace solis::analysis {

struct MapRequest {
    std::string input;  // as of sample_positions
    std::size_t count = 20'000;
    Seed seed{1};  // of the sample; the layout has its own in `umap`
    atlas::MapKind kind = atlas::MapKind::Umap;
    atlas::UmapOptions umap;
};

// A map whose values are White's win probabilities: the input's labels, and the model's verdict
// where there are none.
struct PositionMap {
    atlas::MapData data;
    PositionSample sample;  // row by row what the map was made of; no positions if it was read
};

[[nodiscard]] Result<PositionMap> fit_position_map(const MapRequest& request,
                                                   const SpaceModel& model, ThreadPool& pool,
                                                   const Listener& listener = {});
// A map file; refused where another model made it.
[[nodiscard]] Result<PositionMap> load_position_map(const std::string& path,
                                                    const SpaceModel& model);

// The means of what each side wins, placed into the map; none where they cannot be.
[[nodiscard]] std::optional<atlas::MapArrow> axis_arrow(const atlas::Map& map,
                                                        const SpaceModel& model);
// Cloud, arrow, colour bar; one panel without a path. `source` is for the caption.
[[nodiscard]] atlas::MapPicture map_picture(const atlas::Map& map, const SpaceModel& model,
                                            const std::string& source);
// What a page shows for the point under the pointer: its board, and where it comes from. Nothing
// beyond some ten thousand positions, for which the page would become too large.
[[nodiscard]] atlas::HtmlExtras board_extras(const PositionSample& sample);

}  // namespace solis::analysis
