// Finds the blocks of a store file without an index, stepping over damage.
#pragma once
#include <string>
#include <vector>

#include "solis/base/file_descriptor.h"
#include "solis/base/result.h"
#include "solis/data/store/block_frame.h"

namespace solis::data {

// A stretch of the file that could not be read.
struct Damage {
    std::uint64_t offset = 0;
    std::string reason;
    std::uint64_t block = 0;  // number of the block of games, from 1; 0 where it is none
    std::uint64_t games = 0;  // lost with it; 0 where nobody knows
};

// "block 3 at byte 12345 (210 games): the checksum does not match"
[[nodiscard]] std::string to_text(const Damage& damage);

struct FoundBlock {
    std::uint64_t offset = 0;
    BlockHeader header;

    [[nodiscard]] std::uint64_t payload_offset() const { return offset + BlockHeader::kSize; }
    [[nodiscard]] std::uint64_t end() const { return payload_offset() + header.payload_size; }
};

struct ScanResult {
    std::vector<FoundBlock> blocks;  // whose header is intact and whose payload is complete
    std::vector<Damage> damage;
};

// Fails if the file is of a newer format; a damaged header is only reported.
[[nodiscard]] Result<void> check_file_header(const FileDescriptor& file,
                                             std::vector<Damage>& damage);
// Reads headers only. Memory grows with the number of blocks, not with the file.
[[nodiscard]] Result<ScanResult> scan_blocks(const FileDescriptor& file);
// The payload of a block, checked against its hash.
[[nodiscard]] Result<Bytes> read_payload(const FileDescriptor& file, const FoundBlock& block);
// The block at `offset`; the error says what is wrong there.
[[nodiscard]] Result<FoundBlock> read_header(const FileDescriptor& file, std::uint64_t offset);

}  // namespace solis::data
