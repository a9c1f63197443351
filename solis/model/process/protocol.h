// What an encoder in a process of its own says: the protocol of docs/encoders.md.
//
// The process begins with one line,
//     solis-encoder 1 dims=64 name=my-encoder counters=yes batch=256
// and answers each request "embed N" and N lines of FEN with a line "vectors N D" and N x D float32
// in little-endian order, or with a line "error TEXT".
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::model {

// What the first line tells.
struct EncoderHello {
    static constexpr std::size_t kMaxDims = 65536;
    static constexpr std::size_t kMaxBatch = 65536;

    std::size_t dims = 0;
    std::string name = "process";
    bool reads_counters = true;  // whether vectors depend on the move counters
    std::size_t batch = 256;     // the most positions of one request

    friend bool operator==(const EncoderHello&, const EncoderHello&) = default;
};

// Any text. The error quotes what was found and says what is expected.
[[nodiscard]] Result<EncoderHello> parse_hello(std::string_view line);

// "embed N" and the FENs, one line each.
[[nodiscard]] std::string embed_request(std::span<const chess::Position> positions);

// The line before the vectors: fails for an error of the process, other sizes and any other text.
[[nodiscard]] Result<void> check_reply(std::string_view line, std::size_t count, std::size_t dims);

// Little-endian float32 as they came; `bytes` has 4 for each value.
void read_vectors(std::span<const char> bytes, std::span<float> z);

// The words of a command: separated by blanks, in quotes ('...' or "...") taken together; a
// backslash takes the character after it as it is, except between '...'. Fails for quotes that do
// not end and for no words.
[[nodiscard]] Result<std::vector<std::string>> command_words(std::string_view command);

}  // namespace solis::model
