// Any 32 bytes are refused or give a position that is written and read back the same; any 77
// tokens likewise.
#include <cstdint>
#include <cstdlib>

#include "solis/data/formats/packed_formats.h"
#include "solis/data/inputs/tokenizer.h"

namespace data = solis::data;

namespace {

using Read = solis::Result<data::LabelledPosition> (*)(solis::ByteView);
using Append = void (*)(solis::Bytes&, const data::LabelledPosition&);

void check_record(solis::ByteView record, Read read, Append append) {
    const auto labelled = read(record);
    if (!labelled) return;
    solis::Bytes written;
    append(written, *labelled);
    const auto again = read(written);
    const bool same = again && again->position == labelled->position &&
                      again->score == labelled->score && again->result == labelled->result;
    if (!same) std::abort();
}

void check_tokens(std::span<const std::uint8_t, data::kTokenCount> tokens,
                  data::Tokenizer tokenizer) {
    const auto position = data::detokenize(tokens, tokenizer);
    if (!position) return;
    const auto again = data::detokenize(data::tokenize(*position, tokenizer), tokenizer);
    if (!again || !(*again == *position)) std::abort();
}

}  // namespace

int packed_fuzz(const std::uint8_t* bytes, std::size_t size) {
    const solis::ByteView all(bytes, size);
    check_record(all, data::read_marlin, data::append_marlin);
    check_record(all, data::read_bullet, data::append_bullet);
    if (size == data::kTokenCount) {
        const std::span<const std::uint8_t, data::kTokenCount> tokens(bytes, data::kTokenCount);
        check_tokens(tokens, data::Tokenizer::Deepmind);
        check_tokens(tokens, data::Tokenizer::Reference);
    }
    return 0;
}
