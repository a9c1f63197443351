// The net file of Stockfish 15.1 (".nnue"), as the installed engine writes it with `export_net`.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/aligned.h"
#include "solis/base/result.h"

namespace solis::nn {

// A view is one side's sight of the board: its own sums over the rows of active inputs.
inline constexpr std::size_t kNnueInputs = 22528;       // of each view
inline constexpr std::size_t kNnueAccumulators = 1024;  // of each view
// The layers after the sums exist eight times; the caller chooses by the number of pieces.
inline constexpr std::size_t kNnueStacks = 8;
inline constexpr std::size_t kNnueHidden =
    16;  // outputs of the first layer, the last goes straight on
inline constexpr std::size_t kNnueTail = 32;  // outputs of the second layer

struct NnueStack {
    std::array<std::int32_t, kNnueHidden> hidden_bias;
    std::vector<std::int8_t> hidden_weight;  // [kNnueHidden][kNnueAccumulators]
    std::array<std::int32_t, kNnueTail> tail_bias;
    // [kNnueTail][32]: 15 squares, 15 clamped values, two unused.
    std::array<std::int8_t, kNnueTail * 32> tail_weight;
    std::int32_t out_bias;
    std::array<std::int8_t, kNnueTail> out_weight;
};

// Numbers as they are in the file.
struct NnueWeights {
    std::size_t inputs = 0;
    std::string description;                   // printable characters only
    AlignedVector<std::int16_t> bias;          // [kNnueAccumulators]
    AlignedVector<std::int16_t> input_weight;  // [inputs][kNnueAccumulators]
    AlignedVector<std::int32_t> input_psqt;    // [inputs][kNnueStacks]
    std::vector<NnueStack> stacks;             // kNnueStacks
};

// Whether a file begins like a net of any architecture.
[[nodiscard]] bool looks_like_nnue(std::string_view bytes);

// Refuses other versions, other architectures (by name where it is known) and files of any other
// length than such a net has, before memory is taken. `inputs` differs in tests only.
[[nodiscard]] Result<NnueWeights> parse_nnue(std::string_view bytes,
                                             std::size_t inputs = kNnueInputs);
// The bytes of a file that parse_nnue reads back.
[[nodiscard]] std::string to_nnue(const NnueWeights& weights);

}  // namespace solis::nn
