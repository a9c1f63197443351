// HDF5 as the paper's reference code reads it: dataset "fens", N x 77 tokens of its tokenizer
// (or FEN strings, before tokenisation), and "ps", White's win probability of each.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "solis/base/output.h"
#include "solis/base/result.h"
#include "solis/data/formats/row_source.h"
#include "solis/data/game_sink.h"

namespace solis::data {

[[nodiscard]] Result<RowFormat> open_hdf5(const std::string& path);
// Writes tokens as int32 and probabilities as float32.
[[nodiscard]] Result<std::unique_ptr<GameSink>> create_hdf5(const std::string& path,
                                                            Existing existing);

}  // namespace solis::data
