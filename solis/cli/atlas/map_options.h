// Options that the commands of the atlas share, and what they make of them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solis/atlas/draw/html.h"
#include "solis/atlas/draw/picture.h"
#include "solis/atlas/map.h"
#include "solis/atlas/quality.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/atlas/positions.h"
#include "solis/cli/command.h"

namespace solis::cli {

struct MapOptions {
    std::string input;
    std::string model;
    std::string map;  // an existing map file; empty: a new map
    std::uint64_t count = 20'000;
    std::string kind = "umap";
    std::string metric = "cosine";
    std::string start = "pca";
    std::uint64_t n_neighbors = 15;
    double min_dist = 0.1;
    std::uint64_t epochs = 0;
    std::uint64_t seed = 1;
    int threads = 0;
    std::string theme = "light";
    double scale = 1;
    Existing existing = Existing::Refuse;
};

// Those of a map that is fitted; `count` and its help differ between commands.
void add_map_options(Command& command, MapOptions& options);
// Theme, scale and number of threads.
void add_picture_options(Command& command, MapOptions& options);
[[nodiscard]] Result<atlas::UmapOptions> umap_options(const MapOptions& options);

// Shows stages with the time that is left, and ends them when the user interrupts.
class StageProgress {
  public:
    explicit StageProgress(Console& console) : console_(console) {}
    [[nodiscard]] atlas::Watch watch();
    [[nodiscard]] bool interrupted() { return interrupt_.requested(); }

  private:
    Console& console_;
    InterruptWatch interrupt_;
    std::string stage_;
    std::optional<Progress> progress_;
};

// A map with the positions it was made of, where it was not read from a file.
struct FittedMap {
    atlas::MapData data;
    std::vector<chess::Position> positions;
    std::string source;
};

// Reads options.map, or samples positions and fits a map. The error "interrupted" is the user's.
[[nodiscard]] Result<FittedMap> obtain_map(const MapOptions& options, const SpaceModel& model,
                                           ThreadPool& pool, Console& console);

// The means of what each side wins, placed into the map; none where they cannot be.
[[nodiscard]] std::optional<atlas::MapArrow> axis_arrow(const atlas::Map& map,
                                                        const SpaceModel& model);
// Cloud, arrow, colour bar; one empty panel.
[[nodiscard]] atlas::MapPicture map_picture(const atlas::Map& map, const SpaceModel& model,
                                            const std::string& source);

// Writes a picture by its extension: .svg, .png, .html.
[[nodiscard]] Result<void> write_picture(const std::string& path, const atlas::MapPicture& picture,
                                         const atlas::HtmlExtras& extras,
                                         const MapOptions& options);
// Hover texts: the FENs, and the script that draws their boards; for up to some ten thousand.
[[nodiscard]] atlas::HtmlExtras board_extras(const std::vector<chess::Position>& positions);

}  // namespace solis::cli
