// Index blocks.
#include "solis/data/store/index.h"

#include "solis/data/store/block_scan.h"

namespace solis::data {
namespace {

constexpr std::size_t kEntrySize = 20;

std::optional<std::uint64_t> read_trailer(const FileDescriptor& file) {
    const auto size = file.size();
    if (!size || *size < kFileHeaderSize + kTrailerSize) return {};
    std::array<std::uint8_t, kTrailerSize> bytes;
    const auto got = file.read_at(*size - kTrailerSize, bytes);
    if (!got || *got != bytes.size()) return {};
    ByteReader reader(bytes);
    const auto offset = reader.number<std::uint64_t>();
    if (as_text(reader.bytes(kTrailerMagic.size())) != kTrailerMagic) return {};
    return offset < *size ? std::optional(offset) : std::nullopt;
}

std::optional<StoreIndex> parse_index(ByteView payload, std::uint64_t index_offset) {
    ByteReader reader(payload);
    StoreIndex index;
    index.manifest_offset = reader.number<std::uint64_t>();
    const auto count = reader.number<std::uint64_t>();
    if (!reader.ok() || count != (reader.remaining() - kTrailerSize) / kEntrySize) return {};
    std::uint64_t end = kFileHeaderSize;
    for (std::uint64_t i = 0; i < count; ++i) {
        BlockEntry entry;
        entry.offset = reader.number<std::uint64_t>();
        entry.payload_size = reader.number<std::uint32_t>();
        entry.games = reader.number<std::uint32_t>();
        entry.positions = reader.number<std::uint32_t>();
        if (entry.offset < end || entry.offset > index_offset) return {};
        end = entry.offset + BlockHeader::kSize + entry.payload_size;
        index.blocks.push_back(entry);
    }
    if (end > index_offset) return {};
    return index;
}

}  // namespace

Bytes make_index_block(const StoreIndex& index, std::uint64_t offset) {
    Bytes payload;
    append_little_endian(payload, index.manifest_offset);
    append_little_endian<std::uint64_t>(payload, index.blocks.size());
    for (const BlockEntry& entry : index.blocks) {
        append_little_endian(payload, entry.offset);
        append_little_endian(payload, entry.payload_size);
        append_little_endian(payload, entry.games);
        append_little_endian(payload, entry.positions);
    }
    append_little_endian(payload, offset);
    payload.insert(payload.end(), kTrailerMagic.begin(), kTrailerMagic.end());
    return frame_block(BlockKind::Index, payload);
}

std::optional<StoreIndex> read_store_index(const FileDescriptor& file) {
    const auto offset = read_trailer(file);
    if (!offset) return {};
    const auto block = read_header(file, *offset);
    if (!block || block->header.kind != BlockKind::Index) return {};
    const auto size = file.size();
    if (!size || block->end() != *size) return {};
    const auto payload = read_payload(file, *block);
    if (!payload || payload->size() < kTrailerSize) return {};
    return parse_index(*payload, *offset);
}

}  // namespace solis::data
