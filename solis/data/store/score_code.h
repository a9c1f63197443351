// Scores as symbols: the difference to an expected score, in classes of growing width whose low
// bits are stored as they are. Entropy coding is left to zstd, which sees one stream of symbols per
// context. Part of the file format (docs/formats/store.md).
#pragma once
#include <cstdint>

#include "solis/base/bytes.h"
#include "solis/data/score.h"

namespace solis::data {

// Bits in a byte buffer, the lowest bit of each byte first.
class BitWriter {
  public:
    explicit BitWriter(Bytes& out) : out_(out) {}
    // `count` at most 16.
    void put(unsigned value, unsigned count) {
        pending_ |= static_cast<std::uint64_t>(value) << filled_;
        for (filled_ += count; filled_ >= 8; filled_ -= 8, pending_ >>= 8) {
            out_.push_back(static_cast<std::uint8_t>(pending_));
        }
    }
    // Fills the last byte with zeros.
    void finish() {
        if (filled_ != 0) put(0, 8 - filled_);
    }

  private:
    Bytes& out_;
    std::uint64_t pending_ = 0;
    unsigned filled_ = 0;
};

class BitReader {
  public:
    explicit BitReader(ByteReader& bytes) : bytes_(bytes) {}
    // `count` at most 16; zeros past the end, which the byte reader remembers.
    [[nodiscard]] unsigned take(unsigned count) {
        for (; filled_ < count; filled_ += 8) {
            pending_ |= static_cast<std::uint64_t>(bytes_.byte()) << filled_;
        }
        const auto value = static_cast<unsigned>(pending_ & ((std::uint64_t{1} << count) - 1));
        pending_ >>= count;
        filled_ -= count;
        return value;
    }

  private:
    ByteReader& bytes_;
    std::uint64_t pending_ = 0;
    unsigned filled_ = 0;
};

// What a score is expected to be and, from that, which symbol statistics apply.
inline constexpr unsigned kScoreContexts = 4;
[[nodiscard]] unsigned score_context(Score expected);

// Appends one symbol, its low bits and, for mates, the distance.
void encode_score(Score score, Score expected, Bytes& symbols, BitWriter& low_bits,
                  Bytes& mate_distances);
// The inverse. What no encoder writes gives "no verdict".
[[nodiscard]] Score decode_score(Score expected, ByteReader& symbols, BitReader& low_bits,
                                 ByteReader& mate_distances);

}  // namespace solis::data
