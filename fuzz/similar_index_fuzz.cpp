// Any bytes, taken as an index of similar positions and as the inside of one, are refused or are an
// index that survives a round trip and can be searched.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "solis/analysis/space/similar_index.h"
#include "solis/atlas/file/sealed_file.h"

namespace analysis = solis::analysis;

namespace {

void try_index(std::string_view bytes) {
    const auto index = analysis::parse_index_file(bytes);
    if (!index) return;
    const std::string again = analysis::to_index_file(*index);
    const auto read = analysis::parse_index_file(again);
    if (!read || analysis::to_index_file(*read) != again) std::abort();
    solis::ThreadPool pool(1);
    const std::vector<float> point(index->dims, 0.5f);
    for (const auto& found : analysis::most_similar(*index, point, 3, pool)) {
        (void)index->position(found.row);
        (void)index->played(found.row);
    }
}

}  // namespace

int similar_index_fuzz(const std::uint8_t* data, std::size_t size) {
    try_index({reinterpret_cast<const char*>(data), size});
    // Past the checksum, which hardly any change survives.
    try_index(solis::atlas::seal({"SOLISSIM", 1, "index of similar positions"}, {data, size}));
    return 0;
}
