// Lists of positions, one FEN or EPD per line, as games of length zero.
#pragma once
#include <memory>
#include <string>

#include "solis/base/byte_source.h"
#include "solis/data/game_source.h"

namespace solis::data {

// Blank lines and lines starting with '#' are skipped. `name` is put in front of line numbers.
[[nodiscard]] std::unique_ptr<GameSource> make_epd_source(std::string name,
                                                          std::unique_ptr<ByteSource> source);

}  // namespace solis::data
