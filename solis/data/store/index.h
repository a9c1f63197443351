// The index at the end of a cleanly closed store: where its blocks are.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "solis/base/file_descriptor.h"

namespace solis::data {

// One block of games. Fields are 32 bits in the file, except the offset.
struct BlockEntry {
    std::uint64_t offset = 0;
    std::uint32_t payload_size = 0;
    std::uint32_t games = 0;
    std::uint32_t positions = 0;

    friend bool operator==(const BlockEntry&, const BlockEntry&) = default;
};

struct StoreIndex {
    std::uint64_t manifest_offset = 0;
    std::vector<BlockEntry> blocks;
};

// The framed index block including the trailer; `offset` is where it will be written.
[[nodiscard]] Bytes make_index_block(const StoreIndex& index, std::uint64_t offset);
// None unless the file ends in an undamaged index whose blocks lie inside the file.
[[nodiscard]] std::optional<StoreIndex> read_store_index(const FileDescriptor& file);

}  // namespace solis::data
