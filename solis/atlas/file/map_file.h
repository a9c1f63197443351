// A map as one file.
#pragma once
#include <filesystem>

#include "solis/atlas/map.h"
#include "solis/base/output.h"

namespace solis::atlas {

[[nodiscard]] std::string to_map_file(const MapData& map);
// Any bytes. What is accepted is a map that can be used: sizes agree, all numbers are finite, every
// neighbour exists, options are within their limits.
[[nodiscard]] Result<MapData> parse_map_file(std::string_view bytes);

// Appears under its name when it is complete.
[[nodiscard]] Result<void> save_map(const std::filesystem::path& path, const MapData& map,
                                    Existing existing = Existing::Replace);
// The errors name the path.
[[nodiscard]] Result<MapData> load_map(const std::string& path);
// Refuses a map of another space: its points cannot be compared with ours.
[[nodiscard]] Result<void> check_space(const MapData& map, std::string_view space);

}  // namespace solis::atlas
