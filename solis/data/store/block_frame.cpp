// Block headers: 144 bytes, the last eight of them a hash of the others.
#include "solis/data/store/block_frame.h"

#include <xxhash.h>

namespace solis::data {
namespace {

constexpr std::size_t kHashedHeader = BlockHeader::kSize - sizeof(std::uint64_t);

void append_text(Bytes& out, std::string_view text) {
    for (const char c : text) out.push_back(static_cast<std::uint8_t>(c));
}

void append_summary(Bytes& out, const StoreSummary& s) {
    for (const std::uint64_t count :
         {s.games, s.line_positions, s.branch_positions, s.labelled, s.second_looks, s.mates}) {
        append_little_endian(out, static_cast<std::uint32_t>(count));
    }
    append_little_endian(out, s.content_hash);
    for (const std::uint64_t count : s.white_p) {
        append_little_endian(out, static_cast<std::uint32_t>(count));
    }
}

StoreSummary read_summary(ByteReader& reader) {
    StoreSummary s;
    for (std::uint64_t* count : {&s.games, &s.line_positions, &s.branch_positions, &s.labelled,
                                 &s.second_looks, &s.mates}) {
        *count = reader.number<std::uint32_t>();
    }
    s.content_hash = reader.number<std::uint64_t>();
    for (std::uint64_t& count : s.white_p) count = reader.number<std::uint32_t>();
    return s;
}

}  // namespace

Bytes make_file_header() {
    Bytes out;
    out.reserve(kFileHeaderSize);
    append_text(out, kFileMagic);
    append_little_endian(out, kFormatVersion);
    append_little_endian(out, std::uint32_t{0});
    return out;
}

Bytes frame_block(BlockKind kind, ByteView payload, const StoreSummary& summary) {
    Bytes out;
    out.reserve(BlockHeader::kSize + payload.size());
    append_text(out, kBlockMagic);
    append_little_endian(out, static_cast<std::uint32_t>(kind));
    append_little_endian(out, static_cast<std::uint32_t>(payload.size()));
    append_little_endian(out, std::uint32_t{0});
    append_little_endian<std::uint64_t>(out, XXH3_64bits(payload.data(), payload.size()));
    append_summary(out, summary);
    append_little_endian<std::uint64_t>(out, XXH3_64bits(out.data(), kHashedHeader));
    out.insert(out.end(), payload.begin(), payload.end());
    return out;
}

std::optional<BlockHeader> parse_block_header(ByteView bytes) {
    ByteReader reader(bytes);
    if (as_text(reader.bytes(kBlockMagic.size())) != kBlockMagic) return {};
    const auto kind = reader.number<std::uint32_t>();
    BlockHeader header;
    header.payload_size = reader.number<std::uint32_t>();
    static_cast<void>(reader.number<std::uint32_t>());  // reserved
    header.payload_hash = reader.number<std::uint64_t>();
    header.summary = read_summary(reader);
    const auto hash = reader.number<std::uint64_t>();
    if (!reader.ok() || hash != XXH3_64bits(bytes.data(), kHashedHeader)) return {};
    if (kind > static_cast<std::uint32_t>(BlockKind::Index)) return {};
    if (header.payload_size > kMaxPayload) return {};
    header.kind = static_cast<BlockKind>(kind);
    return header;
}

bool payload_is_intact(const BlockHeader& header, ByteView payload) {
    return payload.size() == header.payload_size &&
           XXH3_64bits(payload.data(), payload.size()) == header.payload_hash;
}

}  // namespace solis::data
