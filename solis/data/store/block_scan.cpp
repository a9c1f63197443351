// Scanning: from header to header, and byte by byte where a header is damaged.
#include "solis/data/store/block_scan.h"

#include <algorithm>

#include <fmt/format.h>

namespace solis::data {
namespace {

// The next offset from `begin` on where an undamaged header starts, or `size`.
Result<std::uint64_t> find_header(const FileDescriptor& file, std::uint64_t begin,
                                  std::uint64_t size) {
    constexpr std::size_t kChunk = std::size_t{1} << 20;
    Bytes buffer(kChunk + BlockHeader::kSize - 1);
    while (begin + BlockHeader::kSize <= size) {
        const auto got = file.read_at(begin, buffer);
        if (!got) return tl::unexpected(got.error());
        if (*got < BlockHeader::kSize) break;
        const std::string_view text = as_text(ByteView(buffer).first(*got));
        for (std::size_t at = text.find(kBlockMagic);
             at != std::string_view::npos && at + BlockHeader::kSize <= *got;
             at = text.find(kBlockMagic, at + 1)) {
            if (parse_block_header(ByteView(buffer).subspan(at, BlockHeader::kSize))) {
                return begin + at;
            }
        }
        begin += *got - (BlockHeader::kSize - 1);
    }
    return size;
}

// What is known of a block whose header is intact and whose payload is cut off.
std::uint64_t announced_games(const Result<FoundBlock>& block) {
    return block && block->header.kind == BlockKind::Games ? block->header.summary.games : 0;
}

}  // namespace

std::string to_text(const Damage& damage) {
    std::string text = damage.block != 0
                           ? fmt::format("block {} at byte {}", damage.block, damage.offset)
                           : fmt::format("byte {}", damage.offset);
    if (damage.games != 0) text += fmt::format(" ({} games)", damage.games);
    return text + ": " + damage.reason;
}

Result<void> check_file_header(const FileDescriptor& file, std::vector<Damage>& damage) {
    std::array<std::uint8_t, kFileHeaderSize> bytes{};
    const auto got = file.read_at(0, bytes);
    if (!got) return tl::unexpected(got.error());
    ByteReader reader(ByteView(bytes).first(*got));
    if (as_text(reader.bytes(kFileMagic.size())) != kFileMagic) {
        damage.push_back({0, "the file header is damaged"});
        return {};
    }
    const auto version = reader.number<std::uint32_t>();
    if (reader.ok() && version > kFormatVersion) {
        return fail(
            fmt::format("store format {} is newer than this program's {}", version, kFormatVersion),
            "update solis");
    }
    return {};
}

Result<FoundBlock> read_header(const FileDescriptor& file, std::uint64_t offset) {
    std::array<std::uint8_t, BlockHeader::kSize> bytes;
    const auto got = file.read_at(offset, bytes);
    if (!got) return tl::unexpected(got.error());
    const auto header = parse_block_header(ByteView(bytes).first(*got));
    if (!header) return fail("damaged block header");
    return FoundBlock{offset, *header};
}

Result<ScanResult> scan_blocks(const FileDescriptor& file) {
    const auto size = file.size();
    if (!size) return tl::unexpected(size.error());
    ScanResult result;
    if (auto ok = check_file_header(file, result.damage); !ok) return tl::unexpected(ok.error());
    std::uint64_t offset = std::min<std::uint64_t>(kFileHeaderSize, *size);
    std::uint64_t games_blocks = 0;
    while (offset < *size) {
        const auto block = read_header(file, offset);
        if (block && block->end() <= *size) {
            if (block->header.kind == BlockKind::Games) ++games_blocks;
            result.blocks.push_back(*block);
            offset = block->end();
            continue;
        }
        const auto next = find_header(file, offset + 1, *size);
        if (!next) return tl::unexpected(next.error());
        const bool is_tail = *next == *size;
        result.damage.push_back(
            {offset,
             fmt::format("{} bytes of {}", *next - offset,
                         is_tail ? "an unfinished block" : "damage between blocks"),
             announced_games(block) != 0 ? games_blocks + 1 : 0, announced_games(block)});
        offset = *next;
    }
    return result;
}

Result<Bytes> read_payload(const FileDescriptor& file, const FoundBlock& block) {
    const auto size = file.size();
    if (!size) return tl::unexpected(size.error());
    if (block.end() > *size) return fail("the block is cut off");
    Bytes payload(block.header.payload_size);
    const auto got = file.read_at(block.payload_offset(), payload);
    if (!got) return tl::unexpected(got.error());
    if (!payload_is_intact(block.header, ByteView(payload).first(*got))) {
        return fail("the checksum does not match");
    }
    return payload;
}

}  // namespace solis::data
