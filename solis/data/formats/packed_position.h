// A position in about 25 bytes, as store files hold the start of a game; a score in two.
#pragma once
#include "solis/base/bytes.h"
#include "solis/base/result.h"
#include "solis/chess/position.h"
#include "solis/data/score.h"

namespace solis::data {

// Layout in docs/formats/store.md.
void append_packed(Bytes& out, const chess::Position& position);
// Without the two counters: what makes two starts the same.
void append_packed_without_counters(Bytes& out, const chess::Position& position);
// Takes any bytes; what is not a valid position is an error.
[[nodiscard]] Result<chess::Position> read_packed(ByteReader& reader);

// Two bytes, little endian.
inline void append_score(Bytes& out, Score score) {
    append_little_endian(out, static_cast<std::uint16_t>(score.value()));
}

}  // namespace solis::data
