// The frame around every block of a store file: a header with checksums, counts and kind.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "solis/base/bytes.h"
#include "solis/data/store/summary.h"

namespace solis::data {

enum class BlockKind : std::uint8_t { Games, Manifest, Index };

struct BlockHeader {
    static constexpr std::size_t kSize = 144;

    BlockKind kind = BlockKind::Games;
    std::uint32_t payload_size = 0;
    std::uint64_t payload_hash = 0;
    StoreSummary summary;  // of a block of games
};

// The first bytes of a file: eight that no text file has, then the version of the format.
inline constexpr std::string_view kFileMagic("\x89SGT\r\n\x1a\n", 8);
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::size_t kFileHeaderSize = 16;
// The last bytes of a cleanly closed file: where its index block starts, then this.
inline constexpr std::string_view kTrailerMagic("SGT-END\n", 8);
inline constexpr std::size_t kTrailerSize = 16;
// The first bytes of a block, which a reader looks for after damage.
inline constexpr std::string_view kBlockMagic("SGTb", 4);
inline constexpr std::uint32_t kMaxPayload = std::uint32_t{1} << 26;

[[nodiscard]] Bytes make_file_header();
// Header and payload of a block, ready to be written.
[[nodiscard]] Bytes frame_block(BlockKind kind, ByteView payload, const StoreSummary& summary = {});
// None unless these bytes, at least BlockHeader::kSize of them, start with an undamaged header.
[[nodiscard]] std::optional<BlockHeader> parse_block_header(ByteView bytes);
[[nodiscard]] bool payload_is_intact(const BlockHeader& header, ByteView payload);

}  // namespace solis::data
