// Any bytes, taken as a map file and as the inside of one, are refused or are a map that survives a
// round trip and takes a new point.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "solis/atlas/file/map_file.h"
#include "solis/atlas/file/sealed_file.h"

namespace atlas = solis::atlas;

namespace {

void try_map(std::string_view bytes) {
    const auto map = atlas::parse_map_file(bytes);
    if (!map) return;
    const auto again = atlas::parse_map_file(atlas::to_map_file(*map));
    if (!again || !(*again == *map)) std::abort();
    solis::ThreadPool pool(1);
    const std::vector<float> point(map->dims, 0.5f);
    // Huge coordinates may overflow, but nothing may be read out of bounds.
    (void)atlas::Map(*map, pool).place(point);
}

}  // namespace

int map_file_fuzz(const std::uint8_t* data, std::size_t size) {
    try_map({reinterpret_cast<const char*>(data), size});
    // Past the checksum, which hardly any change survives.
    try_map(atlas::seal({"SOLISMAP", 1, "map file"}, {data, size}));
    return 0;
}
