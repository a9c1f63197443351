// Any bytes as a block's payload, and as a block that passes its checksum, decode or fail; what
// decodes can be encoded again and decodes to the same games.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "solis/data/store/block_codec.h"
#include "solis/data/store/block_frame.h"
#include "solis/data/store/manifest.h"

namespace data = solis::data;

int store_fuzz(const std::uint8_t* bytes, std::size_t size) {
    const solis::ByteView input(bytes, size);
    static_cast<void>(data::parse_block_header(input));
    static_cast<void>(data::parse_manifest(solis::as_text(input)));
    std::vector<data::LabelledGame> games;
    if (!data::decode_block(input, games)) return 0;
    data::BlockEncoder encoder;
    for (const data::LabelledGame& game : games) {
        // A block may hold one game that is larger than a writer would take.
        if (!encoder.add(game)) return 0;
    }
    std::vector<data::LabelledGame> again;
    if (!data::decode_block(encoder.finish(1), again) || !(again == games)) std::abort();
    return 0;
}
