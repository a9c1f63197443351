// What the module for HDF5 gives to formats/hdf5_format.cpp. It knows rows of numbers and texts,
// and no chess. HDF5 brings some twenty libraries, and only these files need it.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "solis/base/result.h"
#include "solis/data/formats/row_source.h"

namespace solis::data {

// Rows that are read or written in one call.
inline constexpr std::size_t kHdf5ChunkRows = 2048;

// A row of the reader: the probability as four bytes, then 77 tokens as bytes, or the FEN.
struct Hdf5Reading {
    std::unique_ptr<RowReader> rows;
    bool are_tokens = false;
};

class Hdf5Writer {
  public:
    virtual ~Hdf5Writer() = default;
    // tokens: probabilities.size() x kTokenCount.
    [[nodiscard]] virtual Result<void> append(std::span<const std::int32_t> tokens,
                                              std::span<const float> probabilities) = 0;
    [[nodiscard]] virtual Result<void> close() = 0;
};

using OpenHdf5 = void (*)(const std::string& path, Result<Hdf5Reading>& out);
using CreateHdf5 = void (*)(const std::string& path, Result<std::unique_ptr<Hdf5Writer>>& out);

}  // namespace solis::data
